import { ActionIcon } from '@mantine/core';
import { openSpotlight } from '@mantine/spotlight';
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { CircleUser, Menu as MenuIcon, Search } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import { pageMode } from '../api/page-mode.ts';
import { readProblem } from '../api/problem.ts';
import { trpc } from '../api/trpc.ts';
import { clockTime, zoneName } from '../format/time.ts';
import { t } from '../language/language.ts';
import { markSeen, useLive } from '../live/store.ts';
import { startStream } from '../live/stream.ts';
import { toggleZone, useSettings } from '../settings/store.ts';
import { onDemand } from '../ui/help/on-demand.tsx';
import { ModeBadge } from '../ui/price-source.tsx';
import { useNow } from '../ui/time.tsx';
import { useRuleCatalogue } from '../ui/use-rule-catalogue.ts';
import { BellButton } from './bell-button.tsx';
import { LiveDataStatus } from './live-data-status.tsx';
import { Nav, PAGES } from './nav.tsx';
import { NoRunnerNotice } from './no-runner-notice.tsx';
import { PaperLiveSwitch } from './paper-live-switch.tsx';
import { searchKeyBuffer } from './search-key-buffer.ts';
import { useShortcuts } from './shortcuts.ts';
import { StaleDataNotice } from './stale-data-notice.tsx';

type Help = { openHelp: () => void };
const LiveIsOff = onDemand<object>(async () => (await import('./error-pages.tsx')).LiveIsOff);
const ShortcutSheet = onDemand<{ onClose: () => void }>(
  async () => (await import('./shortcut-sheet.tsx')).ShortcutSheet,
);
const SearchDialog = onDemand<Help>(async () => (await import('./search.tsx')).SearchDialog);
const Recent = onDemand<{ onSeen: () => void }>(
  async () => (await import('./recent-activity.tsx')).RecentActivity,
  () => <BellButton />,
);
const UserMenu = onDemand<Help>(
  async () => (await import('./user-menu.tsx')).UserMenu,
  () => <UserButton />,
);

/** The search, by the name in its library. */
const SEARCH = '.mantine-Spotlight-content';

/** The frame of every page: navigation, state of the connection, search and menus. */
export function Shell() {
  const [navOpen, setNavOpen] = useState(false);
  const [helpOpen, setHelpOpen] = useState(false);
  const openHelp = useCallback(() => setHelpOpen(true), []);
  const search = useOnDemand();
  const menu = useOnDemand();
  const recent = useOnDemand();
  useSearchKey(search);
  const account = useQuery(trpc.console.account.queryOptions({}));
  const pending = account.data?.pendingOrders ?? 0;
  const isOff = account.error !== null && readProblem(account.error).code === 'live_trading_off';
  const connection = useLive((live) => live.connection);
  useRuleCatalogue();
  useShortcuts({ openHelp });
  useEffect(startStream, []);
  useTitle(pending);
  const closeNav = useCallback(() => setNavOpen(false), []);
  useEscape(navOpen, closeNav);

  return (
    <div className="shell" data-connection={connection}>
      <a className="skip" href="#main">
        {t('Skip to the page')}
      </a>
      <header className={pageMode === 'live' ? 'topbar live' : 'topbar'}>
        <ActionIcon
          className="menu-button"
          aria-label={t('Pages')}
          aria-expanded={navOpen}
          aria-controls="pages"
          onClick={() => setNavOpen(!navOpen)}
        >
          <MenuIcon size={18} aria-hidden />
        </ActionIcon>
        <Link to="/" className="brand" aria-label={t('Desk')}>
          <img src="/icon.svg" alt="" width={22} height={22} />
          <span className="hide-small">{t('Desk')}</span>
        </Link>
        <span className="status-chip">
          <ModeBadge />
          <LiveDataStatus />
        </span>
        <PaperLiveSwitch className="chip switch hide-small" />
        <span className="grow" />
        <button
          type="button"
          className="search-button"
          onClick={() => openSearch(search)}
          onPointerEnter={() => void SearchDialog.preload()}
        >
          <Search size={14} aria-hidden />
          <span>{t('Search')}</span> <kbd>Ctrl K</kbd>
        </button>
        <span className="grow" />
        <ZoneButton />
        {recent.isWanted ? (
          <Recent onSeen={markSeen} />
        ) : (
          <BellButton
            onPointerEnter={() => void Recent.preload()}
            onClick={() => {
              markSeen();
              recent.ask();
            }}
          />
        )}
        {menu.isWanted ? <UserMenu openHelp={openHelp} /> : <UserButton onClick={menu.ask} />}
      </header>
      <Nav pending={pending} open={navOpen} onGo={closeNav} />
      <main className="content" id="main" tabIndex={-1}>
        <StaleDataNotice />
        <NoRunnerNotice />
        {isOff ? <LiveIsOff /> : <Outlet />}
      </main>
      <div id="announcer" className="sr" aria-live="polite" />
      {search.isWanted ? <SearchDialog openHelp={openHelp} /> : null}
      {helpOpen ? <ShortcutSheet onClose={() => setHelpOpen(false)} /> : null}
    </div>
  );
}

function ZoneButton() {
  const zone = useSettings((settings) => settings.zone);
  const now = useNow();
  return (
    <button type="button" className="chip hide-small figures" onClick={toggleZone}>
      {clockTime(now, zone, now)}
      <span className="sr">{t('Times are in {zone}; switch', { zone: zoneName(zone) })}</span>
    </button>
  );
}

const UserButton = ({ onClick }: { onClick?: () => void }) => (
  <ActionIcon
    aria-label={t('You and settings')}
    aria-haspopup="menu"
    onPointerEnter={() => void UserMenu.preload()}
    {...(onClick && { onClick })}
  >
    <CircleUser size={18} aria-hidden />
  </ActionIcon>
);

/** Loads rarely used parts on demand: `isWanted` once the user did. */
function useOnDemand() {
  const [isWanted, setWanted] = useState(false);
  return {
    isWanted,
    ask: useCallback(() => setWanted(true), []),
  };
}

type OnDemand = ReturnType<typeof useOnDemand>;

function openSearch({ ask }: Pick<OnDemand, 'ask'>): void {
  searchKeyBuffer.start();
  ask();
  openSpotlight();
}

/** Ctrl+K, until the search is loaded and listens itself; keys typed before its input has the focus are stored for it. */
function useSearchKey({ isWanted, ask }: OnDemand): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isInSearch = event.target instanceof HTMLInputElement && event.target.closest(SEARCH) !== null;
      searchKeyBuffer.take(event, isInSearch);
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || isInSearch) return;
      if (isWanted) {
        searchKeyBuffer.start();
        return;
      }
      event.preventDefault();
      openSearch({ ask });
    };
    const onPointer = () => searchKeyBuffer.stop();
    document.addEventListener('keydown', onKey, { capture: true });
    document.addEventListener('pointerdown', onPointer, { capture: true });
    return () => {
      document.removeEventListener('keydown', onKey, { capture: true });
      document.removeEventListener('pointerdown', onPointer, { capture: true });
    };
  }, [isWanted, ask]);
}

/** Esc closes the open dialog, wherever the focus is. */
function useEscape(isOpen: boolean, close: () => void): void {
  useEffect(() => {
    if (!isOpen) return;
    const onKey = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') close();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [isOpen, close]);
}

/** The tab's title shows the number of waiting orders: `(3) Orders · Desk`. */
function useTitle(pending: number): void {
  const path = useRouterState({ select: (state) => state.location.pathname });
  const id = /^\/blueprints\/([^/]+)/.exec(path)?.[1];
  const blueprints = useQuery({ ...trpc.console.blueprints.queryOptions({}), enabled: id !== undefined });
  const name = id === undefined ? undefined : blueprints.data?.find((each) => each.id === id)?.name;
  useEffect(() => {
    const page = PAGES.find(({ to }) => (to === '/' ? path === '/' : path.startsWith(to)));
    const title = name ?? (page ? t(page.title) : path.startsWith('/settings') ? t('Settings') : 'Desk');
    const mode = pageMode === 'live' ? t(', live') : '';
    document.title = `${pending > 0 ? `(${pending}) ` : ''}${title} · Desk${mode}`;
  }, [path, pending, name]);
}
