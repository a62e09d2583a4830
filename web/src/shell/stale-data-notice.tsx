import { Button } from '@mantine/core';
import { notifyManager } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { serviceMs } from '../api/clock.ts';
import { readProblem } from '../api/problem.ts';
import { queryClient } from '../api/trpc.ts';
import { t } from '../language/language.ts';
import { Trans } from '../language/trans.tsx';
import { RequestId } from '../ui/problem.tsx';
import { Age } from '../ui/time.tsx';

/** How often a failed read is retried. */
const RETRY_MS = 10_000;

const failed = { type: 'active', predicate: ({ state }: Query) => isOutdated(state) } as const;

type Query = { state: State };
type State = { status: string; data: unknown; dataUpdatedAt: number; error: unknown };

const isOutdated = ({ status, data, error }: State): boolean =>
  status === 'error' && data !== undefined && readProblem(error).status !== 401;

/** The oldest of the shown data that could not be read again, or undefined. */
const oldest = (): State | undefined =>
  queryClient
    .getQueryCache()
    .findAll(failed)
    .map(({ state }) => state)
    .toSorted((a, b) => a.dataUpdatedAt - b.dataUpdatedAt)[0];

const subscribe = (onChange: () => void) =>
  queryClient.getQueryCache().subscribe(notifyManager.batchCalls(onChange));

/** Old rows stay while the service has errors; this says why, and how old they are. */
export function StaleDataNotice() {
  const outdated = useSyncExternalStore(subscribe, oldest);
  const isVisible = outdated !== undefined;
  useEffect(() => {
    if (!isVisible) return;
    const timer = setInterval(retry, RETRY_MS);
    return () => clearInterval(timer);
  }, [isVisible]);
  if (!outdated) return null;
  const { message, requestId } = readProblem(outdated.error);
  return (
    <div className="notice warn" role="status" data-outdated>
      <span>
        <Trans
          message="{message} What you see was read {age}."
          values={{ message, age: <Age at={new Date(serviceMs(outdated.dataUpdatedAt)).toISOString()} /> }}
        />
      </span>
      <div className="row apart">
        <RequestId id={requestId} />
        <Button variant="default" onClick={retry}>
          {t('Try again')}
        </Button>
      </div>
    </div>
  );
}

const retry = () => void queryClient.refetchQueries(failed);
