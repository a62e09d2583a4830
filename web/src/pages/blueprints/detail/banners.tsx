import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleAlert, GitFork, Hourglass, Lock } from 'lucide-react';
import { serviceMs } from '../../../api/clock.ts';
import type { Blueprint } from '../../../api/row-types.ts';
import { trpc } from '../../../api/trpc.ts';
import type { Draft, DraftGraph } from '../../../editor/use-draft-sync.ts';
import { describeOrder } from '../../../format/trading/order.ts';
import { t } from '../../../language/language.ts';
import { Trans } from '../../../language/trans.tsx';
import { LockedNotice } from '../../../ui/lock/locked-notice.tsx';
import { Age } from '../../../ui/time.tsx';
import { TranslatedReason } from '../../../ui/translated-reason.tsx';

type BannersProps = {
  blueprint: Blueprint;
  draft: Draft;
  /** Whether the page shows a form of the graph that can be edited while it does not run. */
  showsGraph: boolean;
  keepAsDraft: (visual: DraftGraph) => void;
};

/** The obstacles to editing: an error of the whole blueprint, a running strategy, or a concurrent edit. */
export function Banners({ blueprint, draft, showsGraph, keepAsDraft }: BannersProps) {
  const { id, status, error, nodeStates } = blueprint;
  const node = failedNode(nodeStates);
  const [outrun] = draft.outrun;
  return (
    <>
      {error ? (
        <div className="notice bad" role="alert">
          <div className="row apart">
            <span className="row">
              <CircleAlert size={16} className="bad" aria-hidden />
              <span>
                <strong>{t('Error.')}</strong> {error}
              </span>
            </span>
            {node ? (
              <Link to="/blueprints/$id" params={{ id }} search={{ tab: 'graph', node }}>
                {t('Show node {node}', { node })}
              </Link>
            ) : null}
          </div>
          <span className="dim small">
            {t('Entries are halted; exits continue until you stop it or deploy again.')}
          </span>
        </div>
      ) : null}
      {status === 'running' ? <LockedNotice /> : null}
      {draft.saving.state === 'conflict' ? <Conflict draft={draft} /> : null}
      {outrun ? <Outrun drop={() => draft.sync.forgetOutrun()} keep={() => keepAsDraft(outrun)} /> : null}
      <OrderBanners id={id} />
      {showsGraph && status === 'running' ? (
        <p className="plain dim small" role="status">
          <Lock size={14} className="inline-icon" aria-hidden />{' '}
          {t('Running, so it cannot be edited. Stop it first, or duplicate it as a draft.')}
        </p>
      ) : null}
    </>
  );
}

function Outrun({ drop, keep }: { drop: () => void; keep: () => void }) {
  return (
    <div className="notice warn" role="alert">
      <div className="row apart">
        <span className="row">
          <GitFork size={16} aria-hidden />
          <span>
            <Trans
              message="<strong>Deployed elsewhere</strong> while you edited. Your edits are not saved and do not run; the graph shows the deployed version."
              tags={{ strong: <strong /> }}
            />
          </span>
        </span>
        <span className="row">
          <Button variant="default" onClick={drop}>
            {t('Drop my edits')}
          </Button>
          <Button variant="default" onClick={keep}>
            {t('Keep them as a new draft')}
          </Button>
        </span>
      </div>
    </div>
  );
}

function Conflict({ draft: { saving, sync } }: { draft: Draft }) {
  return (
    <div className="notice warn" role="alert">
      <div className="row apart">
        <span className="row">
          <GitFork size={16} aria-hidden />
          <span>
            <Trans
              message="<strong>Changed elsewhere</strong> while you edited, in another tab or by a key. Your edits are here and not saved."
              tags={{ strong: <strong /> }}
            />
          </span>
        </span>
        <span className="row">
          <Button variant="default" onClick={() => void sync.takeTheirs()}>
            {t('Take the stored one')}
          </Button>
          <Button variant="default" onClick={() => void sync.keepMine()}>
            {t('Save mine over it')}
          </Button>
        </span>
      </div>
      {saving.why ? (
        <span className="bad small">
          {t('Not done: {why}', {
            why: saving.why.status === null ? t('the service does not answer.') : saving.why.message,
          })}
        </span>
      ) : (
        <span className="dim small">{t('Taking the stored one can be undone.')}</span>
      )}
    </div>
  );
}

function failedNode(states: unknown): string | null {
  if (typeof states !== 'object' || states === null) return null;
  const failed = Object.entries(states).find(
    ([, state]) =>
      typeof state === 'object' && state !== null && 'status' in state && state.status === 'error',
  );
  return failed?.[0] ?? null;
}

/** How long a denied order is shown on its blueprint. */
const DENIED_VISIBLE_MS = 3_600_000;

/** The blueprint's orders that wait for approval, and the latest one that a rule denied. */
function OrderBanners({ id }: { id: string }) {
  const pending = useQuery(trpc.console.orders.queryOptions({ blueprintId: id, status: 'pending' }));
  const denied = useQuery(trpc.console.orders.queryOptions({ blueprintId: id, status: 'denied', limit: 1 }));
  const [refused] = denied.data ?? [];
  const isRecent =
    refused !== undefined && serviceMs() - new Date(refused.createdAt).getTime() < DENIED_VISIBLE_MS;
  return (
    <>
      {pending.data?.map((order) => (
        <div key={order.id} className="notice warn" role="status">
          <div className="row apart">
            <span className="row">
              <Hourglass size={15} aria-hidden />
              {t('Awaits your approval: {order}', { order: describeOrder(order) })}
            </span>
            <Link to="/orders" search={{ order: order.id }}>
              {t('Review…')}
            </Link>
          </div>
        </div>
      ))}
      {isRecent ? (
        <div className="notice bad" role="status">
          <div className="row apart">
            <span>
              <Trans
                message="Its order to {refused} was denied {age}. {reason}"
                values={{
                  refused: describeOrder(refused),
                  age: <Age at={refused.createdAt} />,
                  reason: <TranslatedReason of={refused.reason} />,
                }}
              />
            </span>
            <Link to="/orders" search={{ order: refused.id }}>
              {t('Why')}
            </Link>
          </div>
        </div>
      ) : null}
    </>
  );
}
