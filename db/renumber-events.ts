import type pg from 'pg';

/** More events than an account records between two restores. */
const STEP = 1_000_000_000;

/**
 * Moves the numbers of all events of a restored database beyond those that were sent before. A reader with an id of the lost
 * time is then sent `resync`. Otherwise it would miss new events under numbers that it knows. Call as the owner of the tables.
 */
export async function renumberEvents(client: Pick<pg.Client, 'query'>): Promise<void> {
  // One transaction: PostgreSQL runs the statements of one query together.
  await client.query(`
    update account_event set seq = seq + ${STEP};
    update notification_cursor set seq = seq + ${STEP};
    update account set event_seq = event_seq + ${STEP}`);
}
