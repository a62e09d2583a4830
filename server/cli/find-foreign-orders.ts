/**
 * Finds orders that no firing of their own strategy explains: `npm run orders:check-origin`, also on `DATABASE_URL`. Reads
 * only, and may run beside the service. Exit code 0 if there are none, else 1 and a table of their nodes.
 */
import { isNotInitialized } from '../../db/database-errors.ts';
import { openPool, systemDb } from '../../db/pool.ts';
import { provenFiringsOf, readNodesWithOrders } from '../../engine/ledger/orders/check-node-firings.ts';
import type { NodeOrdersRow } from '../../engine/ledger/rows.ts';
import { databaseClock } from '../../engine/platform/context.ts';
import { readConfig } from '../kernel/config.ts';
import { connectDatabase, reasonOf } from '../kernel/connect-database.ts';
import { readCommandLine } from './command-line.ts';

/** The most nodes to print. */
const PRINTED_MAX = 200;
/** Counts every order once. */
const ANSWER_WITHIN_MS = 3_600_000;

const WHAT_NOW = `What to do, for each node of the table:
1. Stop the strategy, and cancel its live orders: none of them was decided by its own steps.
2. Compare its orders with its notifications and firings in Activity. Those beyond are another strategy's.
3. Close what they bought, or agree with the account's owner to keep it. Then deploy the strategy again.
"unknown" firings: the strategy was in error, or stepped a moment ago. Call again in a minute; compare by hand if it stays.`;

async function find(): Promise<NodeOrdersRow[]> {
  await using opened = new AsyncDisposableStack();
  const { access, release } = await connectDatabase(readConfig(process.env), () => {});
  opened.defer(release);
  // Connects as the owner of the tables, for whom row-level security hides nothing.
  const pool = await openPool(access.owner, { poolMax: 1, answerWithinMs: ANSWER_WITHIN_MS });
  opened.defer(() => pool.close());
  const db = systemDb(pool);
  return await readNodesWithOrders(db, null, await databaseClock(db));
}

function report(rows: readonly NodeOrdersRow[]): void {
  if (rows.length === 0) {
    console.log('Every order of a strategy follows from a firing of its own deployment.');
    return;
  }
  console.table(rows.slice(0, PRINTED_MAX).map(tableRowOf));
  if (rows.length > PRINTED_MAX) console.error(`… and ${rows.length - PRINTED_MAX} more.`);
  console.error(
    `${rows.length} nodes have orders that they did not fire, or several live ones.\n${WHAT_NOW}`,
  );
  process.exitCode = 1;
}

function tableRowOf(row: NodeOrdersRow) {
  const { accountId, mode, deploymentId, nodeId, orders, live } = row;
  const firings = provenFiringsOf(row);
  const beyond = firings === null ? 'unknown' : Math.max(0, orders - firings);
  return { accountId, mode, deploymentId, nodeId, orders, firings: firings ?? 'unknown', beyond, live };
}

readCommandLine('Usage: npm run orders:check-origin', {});
try {
  report(await find());
} catch (error) {
  console.error(
    isNotInitialized(error)
      ? 'There are no orders yet: start the service once.'
      : `The orders were not checked: ${reasonOf(error)}`,
  );
  process.exitCode = 1;
}
