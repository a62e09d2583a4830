import { Link } from '@tanstack/react-router';
import {
  Activity,
  BellRing,
  BookOpen,
  ChartCandlestick,
  ExternalLink,
  History,
  KeyRound,
  LayoutDashboard,
  ListChecks,
  PieChart,
  Plug,
  ScanSearch,
  ShieldCheck,
  Workflow,
} from 'lucide-react';

import { ModeSwitch } from './mode-switch.tsx';

export const PAGES = [
  { to: '/', title: 'Overview', icon: LayoutDashboard, key: 'h' },
  { to: '/blueprints', title: 'Blueprints', icon: Workflow, key: 'b' },
  { to: '/orders', title: 'Orders', icon: ListChecks, key: 'o' },
  { to: '/portfolio', title: 'Portfolio', icon: PieChart, key: 'p' },
  { to: '/markets', title: 'Markets', icon: ChartCandlestick, key: 'm' },
  { to: '/backtests', title: 'Backtests', icon: History, key: 't' },
  { to: '/sweeps', title: 'Sweeps', icon: ScanSearch, key: 's' },
  { to: '/risk', title: 'Risk', icon: ShieldCheck, key: 'r' },
  { to: '/connections', title: 'Connections', icon: Plug, key: 'c' },
  { to: '/keys', title: 'API keys', icon: KeyRound, key: 'k' },
  { to: '/notifications', title: 'Notifications', icon: BellRing, key: 'n' },
  { to: '/activity', title: 'Activity', icon: Activity, key: 'a' },
] as const;

export function Nav({ pending, open, onGo }: { pending: number; open: boolean; onGo: () => void }) {
  return (
    <nav className={open ? 'nav open' : 'nav'} aria-label="Pages" id="pages">
      {PAGES.map(({ to, title, icon: Icon }) => (
        <Link key={to} to={to} activeOptions={{ exact: to === '/' }} onClick={onGo}>
          <Icon size={16} aria-hidden />
          {title}
          {to === '/orders' && pending > 0 ? (
            <span className="count">
              {pending}
              <span className="sr"> waiting for approval</span>
            </span>
          ) : null}
        </Link>
      ))}
      <div className="sep" />
      <ModeSwitch className="show-small" />
      <a href="/docs" target="_blank" rel="noreferrer">
        <BookOpen size={16} aria-hidden />
        API docs
        <ExternalLink size={12} aria-label="opens a new tab" className="nav-end" />
      </a>
    </nav>
  );
}
