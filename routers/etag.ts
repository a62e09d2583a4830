import { DomainError } from '../engine/errors.ts';
import type { Context } from './trpc.ts';

/** The strong `ETag` of a version. */
export const etagOf = (version: number): string => `"v${version}"`;

export function replyEtag(ctx: Context, version: number): void {
  ctx.replyHeaders['ETag'] = etagOf(version);
}

const ENTITY_TAG = /^"v(\d{1,9})"$/;

/**
 * The version the caller reviewed, from `If-Match`, or undefined where it sent none (or `*`).
 *
 * @throws DomainError `precondition_failed` for a tag that cannot be one of ours: it matches nothing.
 */
export function reviewedVersion(ctx: Context): number | undefined {
  if (ctx.ifMatch === null || ctx.ifMatch === '*') return undefined;
  const version = ENTITY_TAG.exec(ctx.ifMatch)?.[1];
  if (version === undefined) {
    throw new DomainError(
      'precondition_failed',
      `If-Match is ${JSON.stringify(ctx.ifMatch.slice(0, 40))}, which is no ETag of this resource.`,
    );
  }
  return Number(version);
}
