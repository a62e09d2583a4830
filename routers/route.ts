import type { AnyTRPCProcedure, TRPCMutationProcedure, TRPCQueryProcedure } from '@trpc/server';
import type { z } from 'zod';
import type { ErrorStatus } from '../engine/platform/error-table.ts';
import type { AccountContext, Context } from './context.ts';
import { validationFailed } from './errors.ts';
import { type Idempotency, runOnce, type StoredAnswer } from './idempotency.ts';
import type { Access } from './principal.ts';
import { type Call, Reply, type ReviewedCall, reviewedVersion } from './reply.ts';
import { parsedSync } from './schemas.ts';
import {
  type DirectCall,
  type FileKind,
  type GuardedAccess,
  guardedProcedure,
  openProcedure,
  type RouteExample,
  type RouteMeta,
  type RoutePromises,
  runDirectly,
} from './trpc.ts';
import { validationMessageOf } from './validation-messages.ts';

/** Groups of the document, in the order a reader meets them. */
export const TAGS = {
  System: 'Liveness and readiness.',
  'Market data': 'Read-only search and look-up on two prediction markets and crypto.',
  Blueprints: 'Automated strategies: draw, check, deploy and stop them.',
  Orders: 'Orders and order intents: monitor, approve, decline, cancel.',
  Portfolio: 'Positions, profit and loss, closing.',
  'Risk rules': 'Account-level limits checked before every order.',
  Backtests: 'Runs of a strategy over recorded history, with their assumptions.',
  Sweeps:
    'Many backtests of a strategy with varied values, the best of them, and the part that luck explains.',
  Signals: 'Values sent from outside, which strategies read.',
  'API keys': 'Scoped keys for integrations.',
  'Venue connections': 'Accounts at venues, for orders with real money.',
  Account: 'The stored data of an account.',
  Events: 'Events of an account, streamed.',
  Notifications: 'Notification channels and deliveries: webhooks, chats, e-mail, browsers.',
  Audit: 'Actors and changes.',
  Careers: 'The careers form.',
} as const;

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
type Path = `/${string}`;
type ParameterOf<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParameterOf<Rest>
  : never;

/** An open procedure has no account to work for. */
type ContextOf<Who extends Access> = Who extends { kind: 'open' } ? Context : AccountContext;

/** Everything one route declares and does. The procedure and the description are both made from it. */
export type Route<
  Verb extends Method,
  Where extends Path,
  Who extends Access,
  Input extends z.ZodObject,
  Output extends z.ZodType,
  Found,
> = {
  method: Verb;
  path: Where;
  access: Who;
  tag: keyof typeof TAGS;
  summary: string;
  description: string;
  /** Statuses that do not follow from the rest: 404 for a look-up by a word in body or query. */
  alsoAnswers?: readonly (404 | 503)[];
  /** The answer has an `ETag`: `resolve` calls `reply.version`. */
  etag?: true;
  /** `If-Match` is read: `resolve` and `prepare` get `reviewedVersion`. */
  ifMatch?: true;
  /** The list comes in pages: `resolve` may call `reply.next`. */
  pages?: true;
  /** The answer is a file: `resolve` passes it on by `fileRoute`. */
  file?: FileKind;
  /** How a repetition with the same `Idempotency-Key` is answered. */
  idempotent?: Idempotency<z.input<Output>>;
  example: RouteExample & ([ParameterOf<Where>] extends [never] ? unknown : PathExample<Where>);
  input: Input;
  output: Output;
  /** Runs slow look-ups that change nothing, such as asking a venue: before the transaction of a stored answer. */
  prepare?: (call: ReviewedCall<ContextOf<Who>, z.output<Input>>) => Promise<Found>;
  resolve: (
    call: ReviewedCall<ContextOf<Who>, z.output<Input>>,
    found: Found,
  ) => z.input<Output> | Promise<z.input<Output>>;
};

type PathExample<Where extends Path> = { path: Record<ParameterOf<Where>, string | number> };

type Definition<Input extends z.ZodObject, Output extends z.ZodType> = {
  input: z.input<Input>;
  output: z.output<Output>;
  meta: RouteMeta;
};
type Procedure<Verb extends Method, Input extends z.ZodObject, Output extends z.ZodType> = Verb extends 'GET'
  ? TRPCQueryProcedure<Definition<Input, Output>>
  : TRPCMutationProcedure<Definition<Input, Output>>;

type AnyCall = Call<AccountContext, Record<string, unknown>>;
type AnyRoute = Omit<Route<Method, Path, GuardedAccess, z.ZodObject, z.ZodType, unknown>, 'access'> & {
  access: Access;
};

/**
 * Builds a procedure that REST serves too. The route's promised extras are enforced here, around `resolve`, and described from
 * the same words. A header that was not promised cannot be sent, and a promised one cannot be forgotten.
 */
export function route<
  const Verb extends Method,
  const Where extends Path,
  const Who extends Access,
  Input extends z.ZodObject,
  Output extends z.ZodType,
  Found = undefined,
>(made: Route<Verb, Where, Who, Input, Output, Found>): Procedure<Verb, Input, Output>;
export function route(made: AnyRoute): AnyTRPCProcedure {
  const { method, access, input, output } = made;
  const answer = answering(made);
  // The resolver of an open route is typed to use no account.
  const builder = (
    access.kind === 'open' ? openProcedure(access) : guardedProcedure(access)
  ) as GuardedBuilder;
  const type = method === 'GET' ? 'query' : 'mutation';
  const run: DirectCall = (ctx, raw) =>
    runDirectly(ctx, { access, type }, async () => {
      const read = input.safeParse(raw, { error: validationMessageOf });
      if (!read.success) throw validationFailed(read.error);
      // The checks have added the account to the context.
      const answered = await answer({ ctx: ctx as AccountContext, input: read.data });
      return output.parse(answered);
    });
  const typed = builder
    .meta({ ...metaOf(made), run })
    .input(parsedSync(input))
    .output(parsedSync(output));
  return type === 'query' ? typed.query(answer) : typed.mutation(answer);
}

type GuardedBuilder = ReturnType<typeof guardedProcedure>;
type Called = Pick<AnyCall, 'ctx' | 'input'> & { batchIndex?: number };

/** Wraps the resolver with checks of the route's promises. */
function answering(made: AnyRoute): (called: Called) => Promise<unknown> {
  const promises = promisesOf(made);
  const storage = storedAnswerOf(made);
  // `If-Match` is read late: errors of an `Idempotency-Key` come first. A getter in the call is avoided: every object made with
  // one has its own shape, which holds the whole request until the next full garbage collection.
  const reviewed = (call: AnyCall) => ({
    ...call,
    reviewedVersion: promises.ifMatch ? reviewedVersion(call.ctx) : undefined,
  });
  const find = async (call: AnyCall) => made.prepare?.(reviewed(call));
  const resolve = async (call: AnyCall, found: unknown) => made.resolve(reviewed(call), found);
  return async ({ ctx, input, batchIndex = 0 }) => {
    const reply = new Reply(ctx, promises, batchIndex);
    const call: AnyCall = { ctx, input, reply };
    const answer = storage
      ? await runOnce(call, { find, resolve }, storage)
      : await resolve(call, await find(call));
    if (promises.etag && reply.sentEtag === null) throw new Error(`${made.path} promises an ETag.`);
    return answer;
  };
}

function storedAnswerOf({ idempotent, path, access }: AnyRoute): StoredAnswer<unknown> | null {
  if (idempotent === undefined || idempotent === 'effectless') return null;
  if (access.kind === 'open') throw new Error(`${path} has no account to keep answers for.`);
  return idempotent === true ? {} : idempotent;
}

function promisesOf({
  path,
  access,
  etag,
  ifMatch,
  pages,
  idempotent,
  file,
  alsoAnswers = [],
}: AnyRoute): RoutePromises {
  const errors = new Set<ErrorStatus>([400, 429, 500, 503, ...alsoAnswers]);
  if (path.includes('{')) errors.add(404);
  if (access.kind !== 'open') errors.add(401).add(403);
  if (idempotent) errors.add(409).add(422);
  if (ifMatch) errors.add(412);
  return {
    etag: etag ?? false,
    pages: pages ?? false,
    ifMatch: ifMatch ?? false,
    idempotent: idempotent === undefined || idempotent === 'effectless' ? (idempotent ?? null) : 'kept',
    errors: [...errors].sort((a, b) => a - b),
    file: file ?? null,
  };
}

function metaOf(made: AnyRoute): RouteMeta {
  const { method, path, tag, summary, description, access, example } = made;
  const promises = promisesOf(made);
  return {
    access,
    promises,
    example,
    openapi: { method, path, tags: [tag], summary, description, errorResponses: [...promises.errors] },
  };
}
