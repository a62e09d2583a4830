import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { trpc } from '../../api/trpc.ts';
import { usd } from '../../format/number.ts';
import type { Connection } from '../../format/trading/connection.ts';
import {
  canResolve,
  type Difference,
  differenceAmount,
  differenceHelp,
  differenceState,
  differenceSubject,
  differenceTitle,
  isOpen,
} from '../../format/trading/difference.ts';
import { t } from '../../language/language.ts';
import { Trans } from '../../language/trans.tsx';
import { ProblemNotice } from '../../ui/problem.tsx';
import { Age, Time } from '../../ui/time.tsx';
import { type Resolution, ResolveDifferenceDialog } from './resolve.tsx';

/** No event reports a difference: reconciling finds it, and it may pass without action. */
const POLL_MS = 15_000;

type Resolving = { difference: Difference; as: Resolution };

/** The differences between the venue's account and the books, and their resolutions. */
export function Differences({ connection: { id } }: { connection: Connection }) {
  const differences = useQuery({
    ...trpc.venueConnections.differences.queryOptions({ id }),
    refetchInterval: POLL_MS,
  });
  const [resolving, setResolving] = useState<Resolving | null>(null);
  const { data, error } = differences;
  if (error && !data) return <ProblemNotice error={error} retry={() => void differences.refetch()} />;
  if (!data || data.length === 0) return null;
  const open = data.filter(isOpen);
  const resolved = data.filter((each) => !isOpen(each));
  return (
    <div className="stack tight">
      <strong className="small">
        {t('Differences from the books ({open} open)', { open: open.length })}
      </strong>
      {open.length > 0 ? (
        <ul className="differences">
          {open.map((difference) => (
            <OpenDifference
              key={difference.id}
              difference={difference}
              onResolve={(as) => setResolving({ difference, as })}
            />
          ))}
        </ul>
      ) : null}
      {resolved.length > 0 ? (
        <details>
          <summary>{t('Earlier ones ({resolved})', { resolved: resolved.length })}</summary>
          <ul className="plain-list tall">
            {resolved.map((difference) => (
              <li key={difference.id}>
                {differenceTitle(difference)}: {differenceSubject(difference)}, {differenceState(difference)}{' '}
                {difference.resolvedAt ? <Time at={difference.resolvedAt} /> : null}
                {difference.note ? <span className="dim"> “{difference.note}”</span> : null}
              </li>
            ))}
          </ul>
        </details>
      ) : null}
      {resolving ? (
        <ResolveDifferenceDialog connectionId={id} {...resolving} onClose={() => setResolving(null)} />
      ) : null}
    </div>
  );
}

type RowProps = { difference: Difference; onResolve: (as: Resolution) => void };

function OpenDifference({ difference, onResolve }: RowProps) {
  const { ours, theirs, worth, firstSeen } = difference;
  return (
    <li data-difference={difference.id}>
      <div>
        {differenceTitle(difference)}: <span className="mono">{differenceSubject(difference)}</span>
        <div className="dim small">{differenceHelp(difference)}</div>
      </div>
      <div className="small">
        {t('books {difference} · venue {difference2}', {
          difference: differenceAmount(difference, ours),
          difference2: differenceAmount(difference, theirs),
        })}
        {worth === null ? '' : t(' · worth {worth}', { worth: usd(worth) })}
        <div className="dim">
          <Trans message="first seen {age}" values={{ age: <Age at={firstSeen} /> }} />
        </div>
      </div>
      {canResolve(difference) ? (
        <span className="row tight end">
          <Button variant="default" onClick={() => onResolve('adjustment')}>
            {t('Book it…')}
          </Button>
          <Button variant="default" onClick={() => onResolve('explained')}>
            {t('Explain…')}
          </Button>
        </span>
      ) : (
        <span className="dim small">{t('passes without action')}</span>
      )}
    </li>
  );
}
