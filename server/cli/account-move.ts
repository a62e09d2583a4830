/**
 * Moves an account to another cell: `npm run account:move -- --account ada@example.com --to postgres://owner:password@host/name`.
 * Runs beside the services of both cells, with the settings of the cell that the account leaves. Proves the ledger on both
 * sides, and refuses before anything has changed, with the remedy. Meanwhile the account's writes are answered 503
 * `account_moving`. The same call with the account's id completes a move that was interrupted. `--undo` takes it back, as long as
 * the account has not left. `--routes` names the file by which HAProxy finds moved accounts, with `email-key.map` beside it.
 * `--reload` is the command that makes HAProxy read both. It runs before the last proof, because until then the account's keys
 * lead to the cell that it left. With `--proxy` it runs until HAProxy says there that it knows the account.
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
import { reloadProxy } from './moving/reload-proxy.ts';
import { type Route, tryRoutes } from './moving/route-file.ts';
import { writeRoutes } from './moving/routes.ts';

const USAGE =
  'Usage: npm run account:move -- --account <id or e-mail> --to postgres://owner:password@host:5432/name [--routes /etc/haproxy/moved-keys.map [--reload "systemctl reload haproxy" [--proxy http://127.0.0.1:8405]]] [--undo]';
const ANSWER_WITHIN_MS = 3_600_000;
const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
/** A move holds two transactions there, and a third one asks. */
const CONNECTIONS = 3;

type Call = {
  account: string;
  to: string;
  routes: string | undefined;
  reload: string | undefined;
  proxy: string | undefined;
  undo: boolean;
};

function readCall(): Call {
  const { account, to, routes, reload, proxy, undo } = readCommandLine(USAGE, {
    account: { type: 'string' },
    to: { type: 'string' },
    routes: { type: 'string' },
    reload: { type: 'string' },
    proxy: { type: 'string' },
    undo: { type: 'boolean', default: false },
  }).values;
  if (account === undefined || !(ID.test(account) || account.includes('@'))) refuseCall(USAGE);
  if (to === undefined || !/^postgres(ql)?:\/\//.test(to)) refuseCall(USAGE);
  if (reload !== undefined && (routes === undefined || reload.trim() === '')) refuseCall(USAGE);
  if (proxy !== undefined && (reload === undefined || !URL.parse(proxy)?.protocol.startsWith('http')))
    refuseCall(USAGE);
  return { account, routes, reload, proxy, undo, to: to.replace('@/', '@localhost/') }; // without a host, as with a socket, other URL parsers reject it
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

/** The account has left already: without the reload, the proof is still made. */
async function runReload(
  command: string,
  proxy: string | undefined,
  [route]: readonly Route[],
): Promise<void> {
  try {
    await reloadProxy(command, proxy, route);
    console.log('HAProxy is reloaded.');
  } catch (error) {
    console.error(`HAProxy is not reloaded, do it by hand: ${reasonOf(error)}`);
    process.exitCode = 1;
  }
}

async function run(stopping: AbortSignal): Promise<string> {
  const { account, to: url, routes, reload, proxy, undo } = readCall();
  if (routes !== undefined) tryRoutes(routes);
  await using opened = new AsyncDisposableStack();
  const { pool, keys, archive, close } = await openCommandResources(CONNECTIONS, ANSWER_WITHIN_MS);
  opened.defer(close);
  const target = await openPool(databaseAccessOf(url, null).owner, {
    poolMax: CONNECTIONS,
    answerWithinMs: ANSWER_WITHIN_MS,
  });
  opened.defer(() => target.close());
  const accountId = await findAccount(pool, account);
  const to = systemDb(target);
  const moving = {
    from: systemDb(pool),
    to,
    keys,
    archive,
    accountId,
    signal: stopping,
    report: (message: string) => console.log(message),
    route: async () => {
      if (routes === undefined) return;
      const lines = await writeRoutes(routes, to, { accountId, userIds: await readUsers(to, accountId) });
      if (reload === undefined)
        return console.log(`Its keys, e-mails and passkeys are in ${routes}: reload HAProxy.`);
      await runReload(reload, proxy, lines);
    },
  };
  return undo ? await undoMove(moving) : await moveAccount(moving);
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
