import { useMantineColorScheme } from '@mantine/core';
import { Spotlight, type SpotlightActionData } from '@mantine/spotlight';
import { useQuery } from '@tanstack/react-query';
import { useMatch, useNavigate } from '@tanstack/react-router';
import {
  ChartCandlestick,
  Check,
  CircleX,
  Clock,
  Keyboard,
  KeyRound,
  LayoutTemplate,
  ListChecks,
  type LucideIcon,
  OctagonX,
  Plug,
  Plus,
  Search,
  Settings,
  Star,
  SunMoon,
  Workflow,
  Zap,
} from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { type Outputs, trpc } from '../api/trpc.ts';
import { amount } from '../format/number.ts';
import { instrumentName, marketSearchOf, priceNow } from '../format/trading/instrument.ts';
import { byVenue, visibleGroups } from '../format/trading/instrument-picker.ts';
import { describeOrder, originWords, sideWords } from '../format/trading/order.ts';
import { VENUE_NAMES, venueTitle } from '../format/trading/venue.ts';
import { useDebounced } from '../instruments/use-instruments.ts';
import { msg, t } from '../language/language.ts';
import { toggleZone } from '../settings/store.ts';
import { blueprintStatusWords, orderStatusWords } from '../ui/status.tsx';
import { bestNamed, filterSearchGroups } from './filter-search-groups.ts';
import { PAGES } from './nav.tsx';
import { searchKeyBuffer } from './search-key-buffer.ts';
import { actionsFor, offersFor, suggestionsFor } from './strategy-actions.ts';

const LIMIT = 40;
/** Approvals among the suggestions; the page of orders has all of them. */
const APPROVALS_MAX = 3;
const HANDS_ON = msg('Search');
const APPROVE = 'accept confirm freigeben';
/** Other words for a page, in the languages of the console. */
const SYNONYMS: Readonly<Record<string, string>> = {
  '/': 'home dashboard equity start übersicht',
  '/blueprints': 'bots algorithms blueprints robots',
  '/orders': 'trades fills approvals executions freigaben',
  '/portfolio': 'positions holdings balance cash bestand guthaben',
  '/markets': 'prices coins quotes events kurse',
  '/backtests': 'simulation history test',
  '/sweeps': 'optimize parameters optimieren',
  '/risk': 'limits rules drawdown loss grenzen regeln',
  '/connections': 'venues exchanges accounts live börse',
  '/keys': 'token secret api scripts schlüssel',
  '/notifications': 'alerts telegram slack webhook push mail',
  '/activity': 'log audit history events protokoll',
};
const THEME = 'theme colours colors mode';
const STALE_MS = 30_000;

type Blueprint = Outputs['console']['blueprints'][number];

/** Ctrl+K: pages, blueprints, markets, orders, keys and actions. No entry moves money: such an action opens its dialog. */
export function SearchDialog({ openHelp }: { openHelp: () => void }) {
  const navigate = useNavigate();
  const blueprints = useQuery(trpc.console.blueprints.queryOptions({}));
  const { toggleColorScheme } = useMantineColorScheme();
  const [query, setQuery] = useState('');
  useEffect(() => searchKeyBuffer.deliverTo(setQuery), []);
  const words = query.trim();
  const found = useFindings(words, (to) => void navigate(to));
  const { onKeyDown, onTyped } = useFirstSelected([...found.markets, ...found.orders, ...found.keys]);
  const pending = useQuery(trpc.console.orders.queryOptions({ status: 'pending' }));
  const opened = useMatch({ from: '/shell/blueprints/$id', shouldThrow: false });
  const strategies = blueprints.data ?? [];
  const act = ({
    verb,
    strategy: { id, name, status },
  }: ReturnType<typeof offersFor<Blueprint>>[number]) => ({
    ...action(`${verb.id}-${id}`, t(verb.title, { name }), Zap, () =>
      navigate({ to: '/blueprints/$id', params: { id }, search: verb.search }),
    ),
    description: blueprintStatusWords(status),
    keywords: [words],
  });
  const requested = actionsFor(words, strategies);
  const approvals = (pending.data ?? []).map((order) => ({
    ...action(`approve-${order.id}`, t('Approve {order}', { order: describeOrder(order) }), Check, () =>
      navigate({ to: '/orders', search: { approve: order.id } }),
    ),
    description: originWords(order),
    keywords: APPROVE,
  }));
  const pages = {
    group: t('Pages'),
    actions: [
      ...PAGES.map(({ to, title, icon }) => ({
        ...action(to, t(title), icon, () => void navigate({ to })),
        keywords: SYNONYMS[to] ?? '',
      })),
      action('settings', t('Settings'), Settings, () => void navigate({ to: '/settings' })),
      action('docs', t('API docs'), Search, () => void window.open('/docs', '_blank', 'noreferrer')),
    ],
  };
  const actions = {
    group: t('Actions'),
    actions: [
      action(
        'new',
        t('New strategy'),
        Plus,
        () => void navigate({ to: '/blueprints', search: { do: 'new' } }),
      ),
      action(
        'connect',
        t('Connect an account'),
        Plug,
        () => void navigate({ to: '/connections', search: { do: 'new' } }),
      ),
      action('key', t('New API key'), KeyRound, () => void navigate({ to: '/keys', search: { do: 'new' } })),
      action(
        'template',
        t('New strategy from a template'),
        LayoutTemplate,
        () => void navigate({ to: '/blueprints', search: { do: 'new' } }),
      ),
      action('approvals', t('Go to approvals'), ListChecks, () => void navigate({ to: '/orders' })),
      action(
        'watchlist',
        t('Watchlist'),
        Star,
        () => void navigate({ to: '/markets', search: { venue: 'watchlist' } }),
      ),
      action(
        'flatten',
        t('Close everything…'),
        CircleX,
        () => void navigate({ to: '/portfolio', search: { do: 'flatten' } }),
      ),
      action('stop', t('Stop all…'), OctagonX, () => void navigate({ to: '/', search: { do: 'stop-all' } })),
      action('zone', t('Switch between UTC and local time'), Clock, toggleZone),
      {
        ...action('scheme', t('Switch light and dark'), SunMoon, toggleColorScheme),
        keywords: THEME,
      },
      action('help', t('Keyboard shortcuts'), Keyboard, openHelp),
      // After what acts on the whole account: “stop all” is not of one strategy, whatever its name.
      ...requested.map(act),
      ...(words === '' ? [] : approvals),
    ],
  };
  const suggested = {
    group: t('Suggested'),
    actions: [
      ...approvals.slice(0, APPROVALS_MAX),
      ...suggestionsFor(strategies, opened?.params.id).map(act),
    ],
  };
  const groups = [
    // Before a word is typed comes what can be done now; the pages are also in the navigation.
    ...(words === '' ? [suggested, actions, pages] : [pages, actions]),
    {
      group: t('Strategies'),
      actions: [
        ...strategies.map(({ id, name, status }) => ({
          ...action(id, name, Workflow, () => void navigate({ to: '/blueprints/$id', params: { id } })),
          description: blueprintStatusWords(status),
        })),
        ...(requested.length > 0 ? [] : offersFor(words, strategies).map(act)),
      ],
    },
    { group: t('Markets'), actions: found.markets },
    { group: t('Orders'), actions: found.orders },
    { group: t('API keys'), actions: found.keys },
    { group: t(HANDS_ON), actions: words === '' ? [] : searches(words, (to) => void navigate(to)) },
  ];
  return (
    <Spotlight
      actions={groups}
      filter={(typed) => filterSearchGroups(typed, groups, t(HANDS_ON))}
      query={query}
      onQueryChange={(typed) => {
        onTyped();
        setQuery(typed);
      }}
      onSpotlightClose={() => searchKeyBuffer.stop()}
      shortcut="mod + K"
      tagsToIgnore={[]}
      triggerOnContentEditable
      limit={LIMIT}
      scrollable
      maxHeight="min(420px, 60vh)"
      nothingFound={t('No results')}
      attributes={{ content: { 'aria-label': t('Search') } }}
      searchProps={{
        leftSection: <Search size={16} aria-hidden />,
        placeholder: t('Page, strategy or action'),
        'aria-label': t('Search'),
        onKeyDown,
      }}
    />
  );
}

/** Late results are listed before earlier ones: the first is selected, unless the user has moved to another. */
function useFirstSelected(found: readonly SpotlightActionData[]) {
  const hasMoved = useRef(false);
  const known = found.map(({ id }) => id).join(' ');
  useEffect(() => {
    if (known === '' || hasMoved.current) return;
    const list = document.querySelector('.mantine-Spotlight-actionsList');
    list?.querySelector('[data-selected]')?.removeAttribute('data-selected');
    list?.querySelector('[data-action]')?.setAttribute('data-selected', 'true');
  }, [known]);
  return {
    onTyped: () => {
      hasMoved.current = false;
    },
    onKeyDown: ({ key }: KeyboardEvent) => {
      if (key === 'ArrowDown' || key === 'ArrowUp') hasMoved.current = true;
    },
  };
}

const action = (id: string, label: string, Icon: LucideIcon, act: () => void): SpotlightActionData => ({
  id,
  label,
  leftSection: <Icon size={16} aria-hidden />,
  onClick: act,
});

const FOUND_MAX = 5;
const WORDS_MIN = 2;

/** Markets, orders and keys that match the typed text. */
function useFindings(words: string, go: (to: SearchTarget) => void) {
  const settled = useDebounced(words);
  const isRequested = settled === words && words.length >= WORDS_MIN;
  const markets = useQuery({
    ...trpc.console.instruments.queryOptions({ find: words }),
    enabled: isRequested,
    staleTime: STALE_MS,
  });
  const orders = useQuery({
    ...trpc.console.orders.queryOptions({ find: words, limit: FOUND_MAX }),
    enabled: isRequested,
    staleTime: STALE_MS,
  });
  const keys = useQuery({
    ...trpc.agentKeys.list.queryOptions({}),
    enabled: isRequested,
    staleTime: STALE_MS,
  });
  if (!isRequested) return { markets: [], orders: [], keys: [] };
  const groups = visibleGroups(byVenue(markets.data?.instruments ?? [], { words }), VENUE_NAMES);
  const found = bestNamed(
    groups.flatMap(({ options }) => options),
    words,
    instrumentName,
  ).slice(0, FOUND_MAX);
  return {
    markets: found.map((instrument) => ({
      ...action(`market-${instrument.tokenId}`, instrumentName(instrument), ChartCandlestick, () =>
        go({ to: '/markets', search: marketSearchOf(instrument) }),
      ),
      description: `${venueTitle(instrument.venue)} · ${priceNow(instrument).text}`,
      keywords: [words],
    })),
    orders: (orders.data ?? []).map(({ id, side, amount: wanted, title, status, ...origin }) => ({
      ...action(`order-${id}`, `${sideWords(side)} ${amount(wanted)} ${title}`, ListChecks, () =>
        go({ to: '/orders', search: { order: id } }),
      ),
      description: `${orderStatusWords(status)} · ${originWords(origin)}`,
      keywords: [words],
    })),
    keys: (keys.data ?? []).map(({ id, name }) => ({
      ...action(`key-${id}`, name, KeyRound, () => go({ to: '/keys' })),
      description: t('API key'),
    })),
  };
}

type SearchTarget =
  | { to: '/keys' }
  | { to: '/orders'; search: { order: string } }
  | { to: '/markets'; search: ReturnType<typeof marketSearchOf> }
  | { to: '/markets'; search: { find: string } }
  | { to: '/orders'; search: { find: string } }
  | { to: '/activity'; search: { find: string } };

/** Searches for the typed text on the pages that have a search. */
const searches = (find: string, go: (to: SearchTarget) => void): SpotlightActionData[] => [
  action('find-markets', t('Find “{find}” in markets', { find }), Search, () =>
    go({ to: '/markets', search: { find } }),
  ),
  action('find-orders', t('Find “{find}” in orders', { find }), Search, () =>
    go({ to: '/orders', search: { find } }),
  ),
  action('find-activity', t('Find “{find}” in activity', { find }), Search, () =>
    go({ to: '/activity', search: { find } }),
  ),
];
