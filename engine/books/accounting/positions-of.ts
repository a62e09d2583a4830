import type { Work } from '../../platform/context.ts';

/** Selects the account's positions in an instrument, in the mode of the work, oldest first. */
export const positionsOf = ({ db, accountId, mode }: Work, tokenId: string) =>
  db
    .selectFrom('position')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('mode', '=', mode)
    .where('token_id', '=', tokenId)
    .orderBy('opened_at')
    .orderBy('id');

/** Selects those of them that hold something. */
export const heldPositionsOf = (work: Work, tokenId: string) =>
  positionsOf(work, tokenId).where('amount', '>', '0');
