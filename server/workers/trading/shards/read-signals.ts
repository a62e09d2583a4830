import type { Db } from '../../../../db/tables.ts';
import { FUTURE_MAX_MS } from '../../../../engine/platform/clock/freshness.ts';
import { booksName } from '../../../../engine/platform/context.ts';
import type { SignalArrival } from '../../../../engine/strategy/graph/types.ts';
import { mayRead, readNewestValues } from '../../../../engine/usecases/signals/read.ts';
import type { FeedTimeConverter } from '../market/feed-time-converter.ts';
import type { DeploymentInMemory } from './deployment-in-memory.ts';

/**
 * Reads the newest values of the signals that deployments read, by their books, with one query; none if no graph has one. Leaves
 * out a value that is dated ahead: it would stay fresh for as long.
 */
export async function readSignals(
  db: Db,
  deployments: readonly Pick<DeploymentInMemory, 'accountId' | 'mode' | 'plan'>[],
  time: Pick<FeedTimeConverter, 'databaseNow' | 'toFeed'>,
): Promise<Map<string, Map<string, SignalArrival>>> {
  const readers = deployments.filter(({ plan }) => plan.needs.signals.length > 0);
  if (readers.length === 0) return new Map();
  const names = [...new Set(readers.flatMap(({ plan }) => plan.needs.signals))];
  const accountIds = [...new Set(readers.map(({ accountId }) => accountId))];
  const ofAccount = Map.groupBy(await readNewestValues(db, accountIds, names), ({ accountId }) => accountId);
  return new Map(
    readers.map((reader) => [
      booksName(reader),
      new Map(
        (ofAccount.get(reader.accountId) ?? [])
          .filter(({ mode, at }) => mayRead(reader.mode, mode) && at - time.databaseNow() <= FUTURE_MAX_MS)
          .map(({ name, value, at, id }) => [name, { value, at: time.toFeed(at), id }]),
      ),
    ]),
  );
}
