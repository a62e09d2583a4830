import type pg from 'pg';

/**
 * Moves the numbers of all events of a restored database beyond those that were sent before. A reader with an id of the lost
 * time is then sent `resync`. Otherwise it would miss new events under numbers that it knows. Call as the owner of the tables.
 *
 * A backup of an older version may lack a table or column: the others move. The step is the time in ms. A later restore of the
 * same backup therefore goes further, and no account records an event each ms.
 */
export async function renumberEvents(client: Pick<pg.Client, 'query'>, now: Date): Promise<void> {
  const { rows } = await client.query<{ table: string; column: string }>(`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = current_schema and (table_name, column_name) in
      (('account_event', 'seq'), ('notification_cursor', 'seq'), ('account', 'event_seq'))`);
  // One transaction: PostgreSQL runs the statements of one query together.
  await client.query(
    rows.map(({ table, column }) => `update ${table} set ${column} = ${column} + ${now.getTime()}`).join(';'),
  );
}
