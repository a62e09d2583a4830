import { p } from '@mikro-orm/postgresql';

/** Exact money, price or quantity: `numeric(38,12)`, a decimal string in JavaScript, never a float. */
export const decimal = () => p.decimal().precision(38).scale(12);

/** A moment in UTC, to the millisecond: a JavaScript `Date` survives the round trip unchanged. */
export const moment = () => p.datetime().length(3);

/** A number from the one ledger sequence. Taken under an account's lock, the numbers have the order of its commits. */
// In parentheses: MikroORM's comparison treats a default that starts with nextval as none at all.
export const ledgerSeq = () => p.bigint('string').defaultRaw(`(nextval('ledger_seq'))`);
