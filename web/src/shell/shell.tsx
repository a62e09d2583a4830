import { ActionIcon, Menu, useMantineColorScheme } from '@mantine/core';
import { openSpotlight } from '@mantine/spotlight';
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import { CircleUser, Menu as MenuIcon, Moon, Search, Sun } from 'lucide-react';
import { lazy, Suspense, useCallback, useEffect, useState } from 'react';
import { sessionQuery, signOut } from '../api/session.ts';
import { trpc } from '../api/trpc.ts';
import { zoneName } from '../format/time.ts';
import { useLive } from '../live/store.ts';
import { startStream } from '../live/stream.ts';
import { toggleZone, useSettings } from '../settings/store.ts';
import { ModeChip } from '../ui/prices.tsx';
import { ConnectionPill } from './connection-pill.tsx';
import { Nav, PAGES } from './nav.tsx';
import { OutdatedNotice } from './outdated-notice.tsx';
import { ShortcutSheet } from './shortcut-sheet.tsx';
import { useShortcuts } from './shortcuts.ts';

const Palette = lazy(() => import('./palette.tsx'));

/** Everything around a page: where you are, whether it is true now, and the way to everything else. */
export function Shell() {
  const [navOpen, setNavOpen] = useState(false);
  const [helpOpen, setHelpOpen] = useState(false);
  const openHelp = useCallback(() => setHelpOpen(true), []);
  const summary = useQuery(trpc.portfolio.summary.queryOptions({}));
  const pending = summary.data?.pendingOrders ?? 0;
  const connection = useLive((live) => live.connection);
  useShortcuts({ openHelp });
  useEffect(startStream, []);
  useTitle(pending);
  const closeNav = useCallback(() => setNavOpen(false), []);
  useEscape(navOpen, closeNav);

  return (
    <div className="shell" data-connection={connection}>
      <a className="skip" href="#main">
        Skip to the page
      </a>
      <header className="topbar">
        <ActionIcon
          className="menu-button"
          aria-label="Pages"
          aria-expanded={navOpen}
          aria-controls="pages"
          onClick={() => setNavOpen(!navOpen)}
        >
          <MenuIcon size={18} aria-hidden />
        </ActionIcon>
        <Link to="/" className="brand" aria-label="Desk">
          <img src="/icon.svg" alt="" width={22} height={22} />
          <span className="hide-small">Desk</span>
        </Link>
        <ModeChip />
        <button type="button" className="search-button" onClick={openSpotlight}>
          <Search size={14} aria-hidden />
          <span>Search</span> <kbd>Ctrl K</kbd>
        </button>
        <span className="grow" />
        <ConnectionPill />
        <ZoneButton />
        <UserMenu openHelp={openHelp} />
      </header>
      <Nav pending={pending} open={navOpen} onGo={closeNav} />
      <main className="content" id="main" tabIndex={-1}>
        <OutdatedNotice />
        <Outlet />
      </main>
      <div id="announcer" className="sr" aria-live="polite" />
      <Suspense>
        <Palette openHelp={openHelp} />
      </Suspense>
      {helpOpen ? <ShortcutSheet onClose={() => setHelpOpen(false)} /> : null}
    </div>
  );
}

function ZoneButton() {
  const zone = useSettings((settings) => settings.zone);
  return (
    <button
      type="button"
      className="chip hide-small"
      onClick={toggleZone}
      aria-label={`Times are in ${zoneName(zone)}; switch`}
    >
      {zoneName(zone)}
    </button>
  );
}

function UserMenu({ openHelp }: { openHelp: () => void }) {
  const user = useQuery(sessionQuery).data;
  const navigate = useNavigate();
  const { colorScheme, toggleColorScheme } = useMantineColorScheme();
  const leave = async () => {
    await signOut();
    await navigate({ to: '/sign-in' });
  };
  return (
    <Menu position="bottom-end" width={210}>
      <Menu.Target>
        <ActionIcon aria-label="You and settings">
          <CircleUser size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{user?.email ?? 'Signed out'}</Menu.Label>
        <Menu.Item component={Link} to="/settings">
          Settings
        </Menu.Item>
        <Menu.Item
          leftSection={colorScheme === 'light' ? <Moon size={14} /> : <Sun size={14} />}
          onClick={toggleColorScheme}
        >
          Switch light and dark
        </Menu.Item>
        <Menu.Item onClick={openHelp}>Keyboard shortcuts</Menu.Item>
        <Menu.Divider />
        <Menu.Item onClick={() => void leave()}>Sign out</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Esc closes what is open, wherever the focus is. */
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

/** The tab says what waits: `(3) Orders · Desk`. */
function useTitle(pending: number): void {
  const path = useRouterState({ select: (state) => state.location.pathname });
  useEffect(() => {
    const page = PAGES.find(({ to }) => (to === '/' ? path === '/' : path.startsWith(to)));
    const title = page?.title ?? (path === '/settings' ? 'Settings' : 'Desk');
    document.title = `${pending > 0 ? `(${pending}) ` : ''}${title} · Desk`;
  }, [path, pending]);
}
