import { Spotlight, type SpotlightActionData } from '@mantine/spotlight';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Search, Workflow } from 'lucide-react';
import { trpc } from '../api/trpc.ts';
import { toggleZone } from '../settings/store.ts';
import { PAGES } from './nav.tsx';

const LIMIT = 12;

/** Ctrl+K: pages, blueprints and a few actions. Nothing in it moves money. */
export default function Palette() {
  const navigate = useNavigate();
  const blueprints = useQuery(trpc.blueprints.list.queryOptions({}));
  const actions: SpotlightActionData[] = [
    ...PAGES.map(({ to, title, icon: Icon }) => ({
      id: to,
      label: title,
      leftSection: <Icon size={16} aria-hidden />,
      onClick: () => void navigate({ to }),
    })),
    { id: 'settings', label: 'Settings', onClick: () => void navigate({ to: '/settings' }) },
    { id: 'docs', label: 'API docs', onClick: () => void window.open('/docs', '_blank', 'noreferrer') },
    { id: 'zone', label: 'Switch between UTC and local time', onClick: toggleZone },
    ...(blueprints.data ?? []).map(({ id, name, status }) => ({
      id,
      label: name,
      description: `Blueprint, ${status}`,
      leftSection: <Workflow size={16} aria-hidden />,
      onClick: () => void navigate({ to: '/blueprints/$id', params: { id } }),
    })),
  ];
  return (
    <Spotlight
      actions={actions}
      shortcut="mod + K"
      limit={LIMIT}
      nothingFound="Nothing of that name"
      highlightQuery
      attributes={{ content: { 'aria-label': 'Search' } }}
      searchProps={{
        leftSection: <Search size={16} aria-hidden />,
        placeholder: 'Go to a page or a blueprint',
        'aria-label': 'Search',
      }}
    />
  );
}
