import { type RawBuilder, sql } from 'kysely';
import { MARK_FALL_GRACE_SEC } from './mark.ts';

/**
 * The mark of `quote q` for the opening of a day and for an equity point. A mark that fell to 0 less than 10 s before `now` is
 * replaced by the one before it. Null if there was never a bid. Every other reader takes `q.mark_price`, which the trigger
 * `keep_mark` maintains.
 */
export const markIgnoringBriefZero = (now: Date): RawBuilder<string | null> =>
  sql`case when q.mark_fell_at > ${now}::timestamptz - ${sql.lit(MARK_FALL_GRACE_SEC)} * interval '1 second'
    then q.mark_before_fall else q.mark_price end`;
