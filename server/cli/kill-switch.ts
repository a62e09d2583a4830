/**
 * The kill switch without the service: `npm run kill-switch -- --all`, `--account ada@example.com` or `--connection <id>`.
 * Works directly on the database and the venues. Halts the connections, cancels every open order at their venues, also foreign
 * ones, and checks until none is left. `--dry-run` lists what it would do and changes nothing. Exit code 0 if no order rests or
 * can still arrive, else 1; then run it again.
 */
import { isNotInitialized } from '../../db/database-errors.ts';
import { systemDb, unscopedDb } from '../../db/pool.ts';
import { findAccountOfUser } from '../../engine/trading/accounts/provision-account.ts';
import type { CancelAllResult } from '../../engine/trading/connections/cancel-until-none-open.ts';
import { findTradingConnections, type KillScope } from '../../engine/trading/connections/kill-switch.ts';
import type { ConnectionRow } from '../../engine/trading/connections/row.ts';
import { findUser } from '../identity/users/users.ts';
import { reasonOf } from '../kernel/connect-database.ts';
import { adminBrokerOpener } from '../process/admin-broker.ts';
import { type Killed, KillSwitch } from '../process/kill-switch.ts';
import { readCommandLine, refuseCall } from './command-line.ts';
import { type CommandResources, openCommandResources } from './command-resources.ts';

const USAGE =
  'Usage: npm run kill-switch -- (--all | --account ada@example.com | --connection <id>) [--dry-run]';
const POOL_MAX = 10;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

type KillOptions = {
  readonly all: boolean;
  readonly account: string | undefined;
  readonly connection: string | undefined;
  readonly isDryRun: boolean;
};

function readOptions(): KillOptions {
  const { values } = readCommandLine(USAGE, {
    all: { type: 'boolean', default: false },
    account: { type: 'string' },
    connection: { type: 'string' },
    'dry-run': { type: 'boolean', default: false },
  });
  const { all, account, connection } = values;
  const named = [all || undefined, account, connection].filter((value) => value !== undefined);
  if (named.length !== 1) refuseCall(USAGE);
  if (connection !== undefined && !UUID.test(connection))
    refuseCall(USAGE, `${connection} is no id of a connection.`);
  return { all, account, connection, isDryRun: values['dry-run'] };
}

/** Returns the scope of the command. Throws for an unknown account, which must not appear to be stopped. */
async function scopeOf({ pool }: CommandResources, { account, connection }: KillOptions): Promise<KillScope> {
  if (connection !== undefined) return { connectionId: connection };
  if (account === undefined) return {};
  const userId = await findUser(pool, account);
  const accountId = userId === null ? undefined : await findAccountOfUser(unscopedDb(pool), userId);
  if (accountId === undefined) throw new Error(`there is no user ${account}`);
  return { accountId };
}

async function run(options: KillOptions): Promise<boolean> {
  const operation = await openCommandResources(POOL_MAX);
  try {
    const { pool, keys, config } = operation;
    const db = systemDb(pool);
    const connections = await findTradingConnections(db, await scopeOf(operation, options));
    if (options.connection !== undefined && connections.length === 0)
      throw new Error(`there is no connection ${options.connection}`);
    if (connections.length === 0) console.log('There is nothing to stop: no account is connected.');
    const killSwitch = new KillSwitch({ pool, adminBroker: adminBrokerOpener({ pool, keys, config }) });
    if (options.isDryRun) {
      const seen = await Promise.all(
        connections.map(async (row) => ({ row, rests: await killSwitch.describeOrders(row) })),
      );
      for (const { row, rests } of seen) console.log(`${nameOf(row)}: ${row.state}; ${rests}.`);
      return true;
    }
    const killed = await killSwitch.kill(connections, (each) => console.log(lineOf(each)));
    return killed.every(({ emptied, haltError }) => emptied.kind === 'empty' && haltError === null);
  } finally {
    await operation.close();
  }
}

const nameOf = ({ venue, environment, label, id }: ConnectionRow): string =>
  `${venue} ${environment} "${label}" (${id})`;

function lineOf({ row, haltError, emptied, noteError }: Killed): string {
  const halted = haltError === null ? 'halted' : `NOT HALTED (${haltError})`;
  const noted = noteError === null ? '' : `; not in the audit trail (${noteError})`;
  return `${nameOf(row)}: ${halted}; ${describeEmptied(emptied)}${noted}.`;
}

function describeEmptied(emptied: CancelAllResult): string {
  switch (emptied.kind) {
    case 'empty':
      return 'no order rests at the venue';
    case 'left':
      return `${emptied.orders} ORDERS STILL REST at the venue`;
    case 'arriving':
      return `no order rests at the venue, but one that was sent MAY ARRIVE until ${emptied.until.toISOString()}`;
    case 'unreachable':
      return `the venue was NOT REACHED (${emptied.reason}): end its orders there, or take the key back there`;
  }
}

const options = readOptions();
try {
  if (!(await run(options))) process.exitCode = 1;
} catch (error) {
  console.error(
    isNotInitialized(error)
      ? 'There is no database yet, so no order was ever sent.'
      : `The kill switch did not work: ${reasonOf(error)}. Take the keys back at the venues.`,
  );
  process.exitCode = 1;
}
