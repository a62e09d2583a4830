import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Json } from '../db/json.ts';
import type { Db } from '../db/tables.ts';
import { type TurnOptions, transactInTurn } from '../engine/platform/account-lock.ts';
import type { Work } from '../engine/platform/context.ts';
import { isErrorCode } from '../engine/platform/error-table.ts';
import { DomainError, type FieldIssue } from '../engine/platform/errors.ts';
import type { AccountContext } from './context.ts';
import { statusOf, toDomainError } from './errors.ts';
import type { Call } from './reply.ts';

type Answering<Input, Found, Answer> = {
  find: (call: AccountCall<Input>) => Promise<Found>;
  resolve: (call: AccountCall<Input>, found: Found) => Promise<Answer>;
};
type AccountCall<Input> = Call<AccountContext, Input>;

const KEY = /^[\x21-\x7e]{1,255}$/;

/** The answer to the first request with a key. */
type Stored = { status: number; body: Json; etag: string | null };

/**
 * How a route answers a repetition with the same `Idempotency-Key`: with the first answer. A route without an effect runs
 * again: nothing is stored and the key is ignored.
 */
export type Idempotency<Answer> = true | 'effectless' | StoredAnswer<Answer>;

/** `keeping`: how an answer is stored that cannot be stored unchanged. */
export type StoredAnswer<Answer> = TurnOptions & { keeping?: AnswerStorage<Answer> };

/** How an answer is stored that must not be, or is too large to be, stored unchanged. */
export type AnswerStorage<Answer> = {
  keep: (answer: Answer) => Json;
  /** Restores the answer, byte for byte; null if that is no longer possible. */
  recall: (call: AccountCall<unknown>, stored: Json) => Promise<Answer | null>;
  /** The reason why not, for the caller. */
  lost: string;
};

/** For answers that are shown once. */
export const secretAnswer = {
  keep: () => ({ secret: true }),
  recall: async () => null,
  lost: 'The first request succeeded, but its answer held a secret, which is shown only once.',
};

/**
 * Makes a resolver safe to repeat: with an `Idempotency-Key` header its effect happens once, and every repetition
 * within 24 hours gets the first answer.
 *
 * Key, effect and answer are one transaction, so that a crash leaves either all or nothing. Stored answers are successes
 * and refusals of the execution (403, 404). Any other answer leaves no trace and a retry executes. `find` runs slow
 * look-ups that change nothing. It runs before the transaction, so that no connection and no other request waits for it.
 *
 * @throws DomainError `idempotency_key_in_use` (409) while the first request runs, `idempotency_key_reused` (422)
 * for another request under the same key.
 */
export async function runOnce<Input, Found, Answer>(
  call: AccountCall<Input>,
  answering: Answering<Input, Found, Answer>,
  { keeping, ...turn }: StoredAnswer<Answer>,
): Promise<Answer> {
  const { find, resolve } = answering;
  const key = keyOf(call.ctx.idempotencyKey);
  if (key === null) return resolve(call, await find(call));
  const { work } = call.ctx;
  const outcome = await alone(work, key, async () => {
    const request = { key, fingerprint: fingerprintOf(call) };
    const stored = await readStored(work, request);
    if (stored) return replay(call, stored, keeping);
    const found = await attempt(() => find(call));
    // Runs in the account's queue: its requests with keys use one connection, not one each.
    const task = (tx: Work) => firstOrStored(tx, request, call, { found, resolve, keeping });
    return transactInTurn(work, task, turn);
  });
  if ('refusal' in outcome) throw outcome.refusal;
  return outcome.answer;
}

/** The keys of running requests, by the handle of their account. The key's lock excludes requests of other processes. */
const runningKeys = new WeakMap<Db, Set<string>>();

async function alone<Result>({ db }: Work, key: string, task: () => Promise<Result>): Promise<Result> {
  const keys = runningKeys.get(db) ?? new Set();
  runningKeys.set(db, keys);
  if (keys.has(key)) throw keyInUse();
  keys.add(key);
  try {
    return await task();
  } finally {
    keys.delete(key);
  }
}

type Outcome<Answer> = { answer: Answer } | { refusal: DomainError };
type Request = { key: string; fingerprint: string };

type Found<Input, What, Answer> = Pick<Answering<Input, What, Answer>, 'resolve'> & {
  found: Outcome<What>;
  keeping: AnswerStorage<Answer> | undefined;
};

async function firstOrStored<Input, What, Answer>(
  tx: Work,
  request: Request,
  call: AccountCall<Input>,
  { found, resolve, keeping }: Found<Input, What, Answer>,
): Promise<Outcome<Answer>> {
  await lockKey(tx, request.key);
  const stored = await readStored(tx, request);
  if (stored) return replay(call, stored, keeping);

  const inTransaction = { ...call, ctx: { ...call.ctx, work: tx } };
  const outcome = 'refusal' in found ? found : await attempt(() => resolve(inTransaction, found.answer));
  await store(tx, request, { ...toStored(outcome, keeping), etag: call.reply.sentEtag });
  return outcome;
}

async function attempt<Answer>(task: () => Promise<Answer>): Promise<Outcome<Answer>> {
  try {
    return { answer: await task() };
  } catch (thrown) {
    const refusal = toDomainError(thrown);
    if (isOutcomeOfExecution(refusal)) return { refusal };
    throw thrown;
  }
}

const isOutcomeOfExecution = (refusal: DomainError): boolean => [403, 404].includes(statusOf(refusal));

function keyOf(header: string | null): string | null {
  if (header === null) return null;
  const key =
    header.startsWith('"') && header.endsWith('"') && header.length > 1 ? header.slice(1, -1) : header;
  if (KEY.test(key)) return key;
  throw DomainError.of('idempotency_key_invalid');
}

async function lockKey(tx: Work, key: string): Promise<void> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`${tx.accountId}\u0001${key}`}, 42)) as locked
  `.execute(tx.db);
  if (!rows[0]?.locked) throw keyInUse();
}

const keyInUse = () => DomainError.of('idempotency_key_in_use', { retryAfterSec: 1 });

/** The request's identity: its account and mode, method, path with its ids, and the validated input. */
const fingerprintOf = ({ ctx, input }: AccountCall<unknown>): string =>
  createHash('sha256')
    .update(`${ctx.work.mode === 'live' ? 'live ' : ''}${ctx.method} ${ctx.path}\n${JSON.stringify(input)}`)
    .digest('hex');

async function readStored(work: Work, { key, fingerprint }: Request): Promise<Stored | null> {
  const row = await work.db
    .selectFrom('idempotency_key')
    .select(['fingerprint', 'status', 'body', 'etag'])
    .where('account_id', '=', work.accountId)
    .where('key', '=', key)
    .where('created_at', '>', sql<string>`clock_timestamp() - interval '24 hours'`)
    .executeTakeFirst();
  if (!row) return null;
  if (row.fingerprint === fingerprint) return { status: row.status, body: row.body, etag: row.etag };
  throw DomainError.of('idempotency_key_reused');
}

async function store(tx: Work, { key, fingerprint }: Request, stored: Stored): Promise<void> {
  const row = { ...stored, fingerprint, body: JSON.stringify(stored.body) };
  await tx.db
    .insertInto('idempotency_key')
    .values({ account_id: tx.accountId, key, ...row, created_at: sql<string>`clock_timestamp()` })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'key'])
        .doUpdateSet({ ...row, created_at: sql<string>`clock_timestamp()` }),
    )
    .execute();
}

function toStored<Answer>(
  outcome: Outcome<Answer>,
  keeping: AnswerStorage<Answer> | undefined,
): Omit<Stored, 'etag'> {
  if ('refusal' in outcome) {
    const { code, message, issues } = outcome.refusal;
    const body = { code, message, ...(issues && { issues: issues.map((issue) => ({ ...issue })) }) };
    return { status: statusOf(outcome.refusal), body };
  }
  const { answer } = outcome;
  return { status: 200, body: keeping ? keeping.keep(answer) : (answer as Json) };
}

async function replay<Answer>(
  call: AccountCall<unknown>,
  { status, body, etag }: Stored,
  keeping: AnswerStorage<Answer> | undefined,
): Promise<Outcome<Answer>> {
  call.reply.replayed();
  if (status !== 200) return { refusal: refusalOf(body) };
  const answer = keeping ? await keeping.recall(call, body) : (body as Answer);
  if (keeping && answer === null) {
    return { refusal: new DomainError('idempotency_replay_unavailable', keeping.lost) };
  }
  if (etag !== null) call.reply.etagAgain(etag);
  return { answer: answer as Answer };
}

function refusalOf(body: Json): DomainError {
  const { code, message, issues } = body as { code: string; message: string; issues?: FieldIssue[] };
  return new DomainError(
    isErrorCode(code) ? code : 'internal',
    message,
    // In the order of every other answer: the database uses its own.
    issues && { issues: issues.map(({ path, code, message: text }) => ({ path, code, message: text })) },
  );
}
