/** Asks a person to decide in the console. An agent cannot answer for them: it has no session there. */

import { randomUUID } from 'node:crypto';
import { type ElicitRequestURLParams, UrlElicitationRequiredError } from '@modelcontextprotocol/sdk/types.js';
import type { ErrorCode } from '../../engine/platform/error-table.ts';
import type { DomainError } from '../../engine/platform/errors.ts';
import { isObject } from '../../engine/strategy/graph/json.ts';
import type { Context } from '../../routers/context.ts';
import type { Principal } from '../../routers/principal.ts';
import { uuid } from '../../routers/schemas.ts';

/** Begins the session id of a client that can open addresses. The id holds all of the session, so any process reads it. */
const SESSION = 'opens-urls.';

/** Returns the session id for a client that declares in this message that it can open addresses, otherwise null. */
export function sessionIdOf(message: unknown): string | null {
  let value = isObject(message) && message['method'] === 'initialize' ? message['params'] : null;
  for (const name of ['capabilities', 'elicitation', 'url']) value = isObject(value) ? value[name] : null;
  return isObject(value) ? SESSION + randomUUID() : null;
}

export const canOpenUrls = (sessionId: unknown): boolean =>
  typeof sessionId === 'string' && sessionId.startsWith(SESSION);

/** The refusals of a tool that a person can overrule, and the page of the console where they do. */
const DECISIONS: Readonly<Record<string, { codes: readonly ErrorCode[]; page: string }>> = {
  orders_approve: { codes: ['outside_envelope', 'insufficient_scope'], page: '/orders?approve=' },
  blueprints_deploy: { codes: ['paper_run_missing'], page: '/blueprints/' },
};

/** Does nothing without an address of the service that is safe to open. @throws UrlElicitationRequiredError. */
export function elicitDecision(
  { oauth, principal }: Pick<Context, 'oauth'> & { principal: Principal },
  { name, input }: { name: string; input: unknown },
  { code, message }: DomainError,
): void {
  const decision = DECISIONS[name];
  // The scopes are checked before the input.
  const { data: id } = uuid.safeParse(isObject(input) ? input['id'] : null);
  if (!oauth || !decision?.codes.includes(code) || id === undefined) return;
  const mode = principal.mode === 'live' ? '/live' : '';
  const elicitation: ElicitRequestURLParams = {
    mode: 'url',
    elicitationId: randomUUID(),
    url: oauth.issuer + mode + decision.page + id,
    message: `${message} A person can decide it in the console. (${code})`,
    _meta: { code },
  };
  throw new UrlElicitationRequiredError([elicitation], message);
}
