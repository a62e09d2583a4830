import { p } from '@mikro-orm/postgresql';

/** Exact money, price or quantity: `numeric(38,12)`, a decimal string in JavaScript, never a float. */
export const decimal = () => p.decimal().precision(38).scale(12);

/** A moment in UTC, to the millisecond: what a JavaScript `Date` holds survives the round trip unchanged. */
export const moment = () => p.datetime().length(3);

/** A number from the one ledger sequence: who takes it under an account's lock knows the order of its commits. */
// In brackets: MikroORM's comparison takes a default that starts with nextval for none at all.
export const ledgerSeq = () => p.bigint('string').defaultRaw(`(nextval('ledger_seq'))`);
