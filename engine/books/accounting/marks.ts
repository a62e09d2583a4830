import { type RawBuilder, sql } from 'kysely';
import { UNSURE_FOR_SEC } from './mark.ts';

/**
 * The mark of `quote q` that a day opens on and an equity point is kept at: a mark that fell to 0 less than 10 s before
 * `now` is not it yet, the one before is. Null where nobody ever bid. Every other reader takes `q.mark_price`, which the
 * trigger `keep_mark` keeps.
 */
export const steadyMark = (now: Date): RawBuilder<string | null> =>
  sql`case when q.mark_fell_at > ${now}::timestamptz - ${sql.lit(UNSURE_FOR_SEC)} * interval '1 second'
    then q.mark_before_fall else q.mark_price end`;
