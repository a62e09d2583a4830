import { useQuery } from '@tanstack/react-query';
import { trpc } from '../../api/trpc.ts';
import { locksIn } from '../../format/trading/lock.ts';
import { onDemand } from '../help/on-demand.tsx';

/** Few accounts are ever locked: its words load for those alone. */
const LockNotices = onDemand(async () => (await import('./lock-notices.tsx')).LockNotices);

/** Says what locks the buys of the account, while anything does. */
export function LockedNotice() {
  const { data } = useQuery(trpc.console.account.queryOptions({}));
  const isLocked = data && (data.suspension || locksIn(data.limits).length > 0);
  return isLocked ? <LockNotices {...data} /> : null;
}
