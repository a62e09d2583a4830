import { sql } from 'kysely';
import type { Db } from '../../../../db/tables.ts';
import { instrumentOf } from '../row.ts';
import type { InstrumentFact } from './facts-by-time.ts';

/**
 * Reads the facts of instruments stated by venues before `toMs`, by instrument and time. An instrument first stated later has
 * its first fact.
 */
export async function readInstrumentFacts(
  db: Db,
  tokenIds: readonly string[],
  toMs: number,
): Promise<InstrumentFact[]> {
  const { rows } = await sql<{ at: string } & Parameters<typeof instrumentOf>[0]>`
    select f.at, i.* from instrument_fact f
      cross join lateral jsonb_populate_record(null::instrument,
        f.facts || jsonb_build_object('token_id', f.token_id, 'updated_at', f.at)) as i
    where f.token_id = any(${tokenIds}::text[])
      and (f.at < ${new Date(toMs)} or f.at = (select min(at) from instrument_fact where token_id = f.token_id))
    order by f.token_id, f.at`.execute(db);
  return rows.map(({ at, ...stored }) => ({ fromMs: Date.parse(at), instrument: instrumentOf(stored) }));
}
