import { audit } from '../../../engine/platform/audit/audit.ts';
import { openWork, type Work } from '../../../engine/platform/context.ts';
import { DomainError } from '../../../engine/platform/errors.ts';
import type { AccountLimits } from '../../../engine/usecases/operator/set-limits.ts';
import type { Context } from '../../context.ts';
import { routeNotFound } from '../../errors.ts';
import type { Principal } from '../../principal.ts';
import { openProcedure } from '../../trpc.ts';

type Operator = Context & { principal: Principal; operatorId: string };

/**
 * A procedure for operators, in a session with a second factor whose sign-in is at most an hour old. For everyone else, keys
 * included, it is a procedure that does not exist: it is declared as open, so that no other check answers first, and counts only
 * after the caller is known.
 */
export const operatorProcedure = openProcedure({ kind: 'open', isOfOperators: true }).use(
  async ({ ctx, type, next }) => {
    const { principal } = ctx;
    const operator = principal && (await ctx.operator.standingOf(principal));
    if (!operator) throw routeNotFound();
    const { headers, refusal } = await ctx.limits.consume(principal, type === 'query' ? 'read' : 'brake');
    Object.assign(ctx.replyHeaders, headers);
    if (refusal) throw refusal;
    if (!operator.isFresh)
      throw new DomainError(
        'session_required',
        'The sign-in is more than an hour old. Sign out and in again to work as an operator.',
      );
    if (ctx.requestProblem) throw ctx.requestProblem;
    return next({ ctx: { principal, operatorId: operator.userId } });
  },
);

/** Records in the operator's own trail what it asks for, before it is done: also what is then refused. */
export async function noteRequest(
  { pool, clock, requestId, principal }: Operator,
  request: { act: string; subjectId: string; reason?: string; limits?: AccountLimits },
): Promise<void> {
  const { accountId, mode, actor } = principal;
  const own = openWork(pool, { accountId, mode, actor, requestId, clock });
  const { subjectId, ...after } = request;
  const at = await clock(own.db);
  await audit(own, { action: 'operator.requested', mode: null, subjectId, before: null, after, at });
}

/** Work on the account of someone else, which alone it sees. */
export const workOn = (
  { pool, clock, requestId, principal: { mode }, operatorId }: Operator,
  accountId: string,
): Work => openWork(pool, { accountId, mode, actor: `operator:${operatorId}`, requestId, clock });
