import type pg from 'pg';

/**
 * Moves the numbers of all events of a restored database beyond those that were sent before. A reader with an id of the lost
 * time is then sent `resync`. Otherwise it would miss new events under numbers that it knows. Call as the owner of the tables.
 *
 * The step is the time in ms: a later restore of the same backup goes further, and no account records an event each ms.
 */
export async function renumberEvents(client: Pick<pg.Client, 'query'>, now: Date): Promise<void> {
  const step = now.getTime();
  // One transaction: PostgreSQL runs the statements of one query together.
  await client.query(`
    update account_event set seq = seq + ${step};
    update notification_cursor set seq = seq + ${step};
    update account set event_seq = event_seq + ${step}`);
}
