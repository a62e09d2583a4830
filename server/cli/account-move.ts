/**
 * Moves an account to another cell: `npm run account:move -- --account ada@example.com --to postgres://owner:password@host/name`.
 * Runs beside the services of both cells, with the settings of the cell that the account leaves. Proves the ledger on both
 * sides, and refuses before anything has changed, with the remedy. Meanwhile the account's writes are answered 503
 * `account_moving`. The same call with the account's id completes a move that was interrupted. `--undo` takes it back, as long as
 * the account has not left. `--routes` names the file by which HAProxy finds moved accounts, with `email-key.map` beside it:
 * reload it afterwards.
 * Exit code 0 if the account is where it was to be.
 */
import { isNotInitialized } from '../../db/database-errors.ts';
import { openPool, type Pool, systemDb, unscopedDb } from '../../db/pool.ts';
import { findAccountOfUser } from '../../engine/trading/accounts/provision-account.ts';
import { findUser } from '../identity/users/users.ts';
import { databaseAccessOf, reasonOf } from '../kernel/connect-database.ts';
import { finishBeforeStopping } from '../kernel/stop-signal.ts';
import { readCommandLine, refuseCall } from './command-line.ts';
import { openCommandResources } from './command-resources.ts';
import { MoveRefused } from './moving/checks.ts';
import { moveAccount, readUsers, undoMove } from './moving/move.ts';
import { readLines, writeRoutes } from './moving/routes.ts';

const USAGE =
  'Usage: npm run account:move -- --account <id or e-mail> --to postgres://owner:password@host:5432/name [--routes /etc/haproxy/moved-keys.map] [--undo]';
const ANSWER_WITHIN_MS = 3_600_000;
const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
/** A move holds two transactions there, and a third one asks. */
const CONNECTIONS = 3;

type Call = { account: string; to: string; routes: string | undefined; undo: boolean };

function readCall(): Call {
  const { account, to, routes, undo } = readCommandLine(USAGE, {
    account: { type: 'string' },
    to: { type: 'string' },
    routes: { type: 'string' },
    undo: { type: 'boolean', default: false },
  }).values;
  if (account === undefined || !(ID.test(account) || account.includes('@'))) refuseCall(USAGE);
  if (to === undefined || !/^postgres(ql)?:\/\//.test(to)) refuseCall(USAGE);
  return { account, routes, undo, to: to.replace('@/', '@localhost/') }; // without a host, as with a socket, other URL parsers reject it
}

async function findAccount(pool: Pool, account: string): Promise<string> {
  if (!account.includes('@')) return account;
  const userId = await findUser(pool, account);
  const found = userId === null ? undefined : await findAccountOfUser(unscopedDb(pool), userId);
  if (found === undefined)
    throw new MoveRefused(
      `There is no account of ${account} here. To complete its move, name the account by its id.`,
    );
  console.log(`The account of ${account} is ${found}.`);
  return found;
}

async function run(stopping: AbortSignal): Promise<string> {
  const { account, to: url, routes, undo } = readCall();
  if (routes !== undefined) readLines(routes); // a wrong name is refused before anything moves
  await using opened = new AsyncDisposableStack();
  const { pool, keys, archive, close } = await openCommandResources(CONNECTIONS, ANSWER_WITHIN_MS);
  opened.defer(close);
  const target = await openPool(databaseAccessOf(url, null).owner, {
    poolMax: CONNECTIONS,
    answerWithinMs: ANSWER_WITHIN_MS,
  });
  opened.defer(() => target.close());
  const moving = {
    from: systemDb(pool),
    to: systemDb(target),
    keys,
    archive,
    accountId: await findAccount(pool, account),
    signal: stopping,
    report: (message: string) => console.log(message),
  };
  if (undo) return await undoMove(moving);
  const result = await moveAccount(moving);
  if (routes === undefined) return result;
  const { accountId, to: there } = moving;
  await writeRoutes(routes, there, { accountId, userIds: await readUsers(there, accountId) });
  return `${result} Its keys, e-mails and passkeys are in ${routes}: reload HAProxy.`;
}

try {
  console.log(await run(finishBeforeStopping()));
} catch (error) {
  console.error(
    isNotInitialized(error)
      ? 'One of the databases is not that of a service of this version: start the service there once.'
      : reasonOf(error),
  );
  process.exitCode = 1;
}
