/**
 * The blueprint of buys that a person or key requests. It is created deleted, so that it is not listed and never runs. Equal in
 * every account: rows and queries always name the account too.
 */
export const BY_HAND_ID = '00000000-0000-0000-0000-000000000000';
