import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { ERRORS, type ErrorCode } from '../../engine/platform/error-table.ts';
import { DomainError } from '../../engine/platform/errors.ts';
import { viewError } from '../../routers/errors.ts';

/** Replaces remedies of the table that mention HTTP. */
const REMEDIES: Partial<Record<ErrorCode, string>> = {
  blueprint_invalid:
    'Correct what `issues` lists, send it by blueprints_update, and check it by blueprints_validate.',
  not_found: 'Check the id: a tool such as blueprints_list or orders_list names what there is.',
  outside_envelope:
    'Stay within what the message names, or give a person the link: /orders?approve=<id of the order> in the console.',
  precondition_failed:
    'Read it again, decide again, and send the `version` that comes with it as `expectedVersion`.',
  route_not_found: 'Choose a tool that tools/list names.',
};

/** Renders a refusal with its remedy as an answer, so that the model can act on it. */
export function refusedResult(refusal: DomainError, requestId: string): CallToolResult {
  const view = {
    ...viewError(refusal, requestId),
    remedy: REMEDIES[refusal.code] ?? ERRORS[refusal.code].remedy,
    ...(refusal.retryAfterSec !== undefined && { retryAfterSec: refusal.retryAfterSec }),
  };
  return { isError: true, content: [{ type: 'text', text: JSON.stringify(view) }], _meta: { requestId } };
}

const SUGGESTED_MAX = 3;

/** Refuses an unknown tool, and names those that share most words with it. */
export function unknownTool(unknown: string, names: readonly string[]): DomainError {
  const words = wordsOf(unknown.slice(0, 64));
  const shared = (name: string) => wordsOf(name).filter((word) => words.includes(word)).length;
  const near = names.filter((name) => shared(name) > 0).toSorted((a, b) => shared(b) - shared(a));
  const hint = near.length > 0 ? ` Near it: ${near.slice(0, SUGGESTED_MAX).join(', ')}.` : '';
  return new DomainError(
    'route_not_found',
    `There is no tool ${JSON.stringify(unknown.slice(0, 64))}.${hint}`,
  );
}

/** Returns the words of a name, in the singular. */
const wordsOf = (name: string): string[] =>
  [...name.matchAll(/[A-Z]?[a-z]+/g)].map(([word]) => word.toLowerCase().replace(/s$/, ''));
