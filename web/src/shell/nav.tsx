import { useQuery } from '@tanstack/react-query';
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
  Server,
  ShieldCheck,
  Workflow,
} from 'lucide-react';
import { sessionQuery } from '../api/session.ts';
import { msg, t } from '../language/language.ts';
import { useSettings } from '../settings/store.ts';
import { PaperLiveSwitch } from './paper-live-switch.tsx';

export const PAGES = [
  { to: '/', title: msg('Overview'), icon: LayoutDashboard, key: 'h' },
  { to: '/blueprints', title: msg('Strategies'), icon: Workflow, key: 'b' },
  { to: '/orders', title: msg('Orders'), icon: ListChecks, key: 'o' },
  { to: '/portfolio', title: msg('Portfolio'), icon: PieChart, key: 'p' },
  { to: '/markets', title: msg('Markets'), icon: ChartCandlestick, key: 'm' },
  { to: '/backtests', title: msg('Backtests'), icon: History, key: 't' },
  { to: '/sweeps', title: msg('Sweeps'), icon: ScanSearch, key: 's' },
  { to: '/risk', title: msg('Risk'), icon: ShieldCheck, key: 'r' },
  { to: '/connections', title: msg('Connections'), icon: Plug, key: 'c' },
  { to: '/keys', title: msg('API keys'), icon: KeyRound, key: 'k' },
  { to: '/notifications', title: msg('Notifications'), icon: BellRing, key: 'n' },
  { to: '/activity', title: msg('Activity'), icon: Activity, key: 'a' },
] as const;

export function Nav({ pending, open, onGo }: { pending: number; open: boolean; onGo: () => void }) {
  const operatorId = useSettings((settings) => settings.operatorId);
  const userId = useQuery(sessionQuery).data?.id;
  const isOperator = operatorId !== null && operatorId === userId;
  return (
    <nav className={open ? 'nav open' : 'nav'} aria-label={t('Pages')} id="pages">
      {PAGES.map(({ to, title, icon: Icon }) => (
        <Link key={to} to={to} activeOptions={{ exact: to === '/' }} onClick={onGo}>
          <Icon size={16} aria-hidden />
          {t(title)}
          {to === '/orders' && pending > 0 ? (
            <span className="count">
              {pending}
              <span className="sr"> {t('awaiting approval')}</span>
            </span>
          ) : null}
        </Link>
      ))}
      {isOperator ? (
        <Link to="/operator" onClick={onGo}>
          <Server size={16} aria-hidden />
          {t('Operator')}
        </Link>
      ) : null}
      <div className="sep" />
      <PaperLiveSwitch className="show-small" />
      <a href="/docs" target="_blank" rel="noreferrer">
        <BookOpen size={16} aria-hidden />
        {t('API docs')}
        <ExternalLink size={12} aria-label={t('opens a new tab')} className="nav-end" />
      </a>
    </nav>
  );
}
