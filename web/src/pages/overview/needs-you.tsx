import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Ban, Hourglass, KeyRound, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { serviceMs } from '../../api/clock.ts';
import { type Outputs, trpc } from '../../api/trpc.ts';
import { usd } from '../../format/number.ts';
import { relativeTime } from '../../format/time.ts';
import { failedByError } from '../../format/trading/failed-strategies.ts';
import { describeOrder, originWords } from '../../format/trading/order.ts';
import { t } from '../../language/language.ts';
import { dotted } from '../../ui/dotted.ts';
import { Panel, RowSkeleton } from '../../ui/panel.tsx';
import { Age } from '../../ui/time.tsx';
import { TranslatedReason } from '../../ui/translated-reason.tsx';

/** Denials of the last hour, the newest few. */
const DENIED_VISIBLE_MS = 3_600_000;
const DENIED_MAX = 3;
/** Approvals in the list; the page of orders has all of them. */
const PENDING_MAX = 5;
const KEY_WARNING_MS = 7 * 86_400_000;

/** Everything that waits for the user: approvals, errors, keys that end soon. `isFirst`: absent while there is nothing. */
export function NeedsYou({ isFirst = false }: { isFirst?: boolean }) {
  const pending = useQuery(trpc.console.orders.queryOptions({ status: 'pending' }));
  const refused = useQuery(trpc.console.orders.queryOptions({ status: 'denied', limit: DENIED_MAX }));
  const blueprints = useQuery(trpc.console.blueprints.queryOptions({}));
  const keys = useQuery(trpc.agentKeys.list.queryOptions({}));
  const failed = failedByError(blueprints.data ?? []);
  const ending = keys.data?.filter(endsSoon) ?? [];
  const loading = !pending.data || !blueprints.data;
  const denied = (refused.data ?? []).filter(
    ({ createdAt }) => serviceMs() - Date.parse(createdAt) < DENIED_VISIBLE_MS,
  );
  const nothing = !loading && pending.data.length + failed.length + ending.length + denied.length === 0;
  if (isFirst && (loading || nothing)) return null;
  return (
    <Panel title={t('Action required')} flush>
      {loading ? <RowSkeleton rows={3} /> : null}
      {nothing ? (
        <div className="empty">
          <strong>{t('Nothing awaits your approval')}</strong>
          <p>{t('Orders above your approval limit, failed strategies and expiring keys appear here.')}</p>
        </div>
      ) : null}
      <ul className="list">
        {pending.data?.slice(0, PENDING_MAX).map((order) => (
          <Row key={order.id} icon={<Hourglass size={15} className="warn" aria-hidden />}>
            <Link to="/orders" search={{ order: order.id }}>
              {t('Approve {order}', { order: describeOrder(order) })}
            </Link>
            <div className="dim small">
              {dotted([
                order.size === null ? null : usd(order.size),
                originWords(order),
                <Age key="age" at={order.createdAt} />,
              ])}
            </div>
          </Row>
        ))}
        {pending.data && pending.data.length > PENDING_MAX ? (
          <Row icon={<Hourglass size={15} className="warn" aria-hidden />}>
            <Link to="/orders">{t('{rest} more', { rest: pending.data.length - PENDING_MAX })}</Link>
          </Row>
        ) : null}
        {denied.map((order) => (
          <Row key={order.id} icon={<Ban size={15} className="bad" aria-hidden />}>
            <Link to="/orders" search={{ order: order.id }}>
              {t('Denied: {order}', { order: describeOrder(order) })}
            </Link>
            <div className="dim small">
              {dotted([
                originWords(order),
                order.reason ? <TranslatedReason key="reason" of={order.reason} /> : null,
                <Age key="age" at={order.createdAt} />,
              ])}
            </div>
          </Row>
        ))}
        {failed.map(([error, same]) => (
          <Row key={error} icon={<TriangleAlert size={15} className="bad" aria-hidden />}>
            <Failed of={same} />
            <div className="dim small">{error}</div>
          </Row>
        ))}
        {ending.map(({ id, name, expiresAt }) => (
          <Row key={id} icon={<KeyRound size={15} className="warn" aria-hidden />}>
            <Link to="/keys">
              {t('Key “{name}” expires {when}', {
                name,
                when: expiresAt ? relativeTime(new Date(expiresAt)) : '',
              })}
            </Link>
          </Row>
        ))}
      </ul>
    </Panel>
  );
}

type Blueprint = Outputs['console']['blueprints'][number];

/** Strategies that failed with the same error: one by its name, several by their number. */
function Failed({ of }: { of: readonly Blueprint[] }) {
  const [first, ...rest] = of;
  if (!first) return null;
  return rest.length === 0 ? (
    <Link to="/blueprints/$id" params={{ id: first.id }}>
      {t('{name} is in error', { name: first.name })}
    </Link>
  ) : (
    <Link to="/blueprints" search={{ status: 'error' }}>
      {t('{count, plural, one {# strategy is} other {# strategies are}} in error', { count: of.length })}
    </Link>
  );
}

const Row = ({ icon, children }: { icon: ReactNode; children: ReactNode }) => (
  <li className="with-icon">
    <span className="row-icon">{icon}</span>
    <div>{children}</div>
  </li>
);

function endsSoon({ expiresAt, revokedAt }: { expiresAt: string | null; revokedAt: string | null }): boolean {
  if (expiresAt === null || revokedAt !== null) return false;
  const left = new Date(expiresAt).getTime() - serviceMs();
  return left > 0 && left < KEY_WARNING_MS;
}
