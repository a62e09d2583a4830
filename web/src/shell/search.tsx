import { useMantineColorScheme } from '@mantine/core';
import { Spotlight, type SpotlightActionData } from '@mantine/spotlight';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import {
  Clock,
  Keyboard,
  KeyRound,
  type LucideIcon,
  OctagonX,
  Plug,
  Plus,
  Search,
  Settings,
  SunMoon,
  Workflow,
} from 'lucide-react';
import { useState } from 'react';
import { trpc } from '../api/trpc.ts';
import { toggleZone } from '../settings/store.ts';
import { PAGES } from './nav.tsx';

const LIMIT = 14;

/** Ctrl+K: pages, blueprints and actions. Nothing in it moves money: what would opens its dialog. */
export function SearchDialog({ openHelp }: { openHelp: () => void }) {
  const navigate = useNavigate();
  const blueprints = useQuery(trpc.console.blueprints.queryOptions({}));
  const { toggleColorScheme } = useMantineColorScheme();
  const [query, setQuery] = useState('');
  const words = query.trim();
  const groups = [
    {
      group: 'Pages',
      actions: [
        ...PAGES.map(({ to, title, icon }) => action(to, title, icon, () => void navigate({ to }))),
        action('settings', 'Settings', Settings, () => void navigate({ to: '/settings' })),
        action('docs', 'API docs', Search, () => void window.open('/docs', '_blank', 'noreferrer')),
      ],
    },
    {
      group: 'Actions',
      actions: [
        action(
          'new',
          'New blueprint',
          Plus,
          () => void navigate({ to: '/blueprints', search: { do: 'new' } }),
        ),
        action(
          'connect',
          'Connect an account',
          Plug,
          () => void navigate({ to: '/connections', search: { do: 'new' } }),
        ),
        action('key', 'New API key', KeyRound, () => void navigate({ to: '/keys', search: { do: 'new' } })),
        action('stop', 'Stop all…', OctagonX, () => void navigate({ to: '/', search: { do: 'stop-all' } })),
        action('zone', 'Switch between UTC and local time', Clock, toggleZone),
        action('scheme', 'Switch light and dark', SunMoon, toggleColorScheme),
        action('help', 'Keyboard shortcuts', Keyboard, openHelp),
      ],
    },
    {
      group: 'Blueprints',
      actions: (blueprints.data ?? []).map(({ id, name, status }) => ({
        ...action(id, name, Workflow, () => void navigate({ to: '/blueprints/$id', params: { id } })),
        description: status,
      })),
    },
    { group: 'Search', actions: words === '' ? [] : searches(words, (to) => void navigate(to)) },
  ];
  return (
    <Spotlight
      actions={groups}
      query={query}
      onQueryChange={setQuery}
      shortcut="mod + K"
      tagsToIgnore={[]}
      triggerOnContentEditable
      limit={LIMIT}
      scrollable
      maxHeight="min(420px, 60vh)"
      nothingFound="No results"
      attributes={{ content: { 'aria-label': 'Search' } }}
      searchProps={{
        leftSection: <Search size={16} aria-hidden />,
        placeholder: 'A page, a blueprint or an action',
        'aria-label': 'Search',
      }}
    />
  );
}

const action = (id: string, label: string, Icon: LucideIcon, act: () => void): SpotlightActionData => ({
  id,
  label,
  leftSection: <Icon size={16} aria-hidden />,
  onClick: act,
});

type Place =
  | { to: '/markets'; search: { find: string } }
  | { to: '/orders'; search: { find: string } }
  | { to: '/activity'; search: { find: string } };

/** What was typed, looked for on the pages that can look. */
const searches = (find: string, go: (to: Place) => void): SpotlightActionData[] => [
  action('find-markets', `Find “${find}” in markets`, Search, () => go({ to: '/markets', search: { find } })),
  action('find-orders', `Find “${find}” in orders`, Search, () => go({ to: '/orders', search: { find } })),
  action('find-activity', `Find “${find}” in activity`, Search, () =>
    go({ to: '/activity', search: { find } }),
  ),
];
