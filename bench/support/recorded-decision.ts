import { randomUUID } from 'node:crypto';
import pg from 'pg';

export type Statement = { text: string; values: unknown[] };

/** Runs `task` and returns every statement it sent, in order. Concurrent statements are recorded too, so run nothing else. */
export async function recordStatements(task: () => Promise<unknown>): Promise<Statement[]> {
  const statements: Statement[] = [];
  const original = pg.Client.prototype.query;
  pg.Client.prototype.query = function query(this: pg.Client, ...args: unknown[]) {
    const [sent, values] = args;
    if (typeof sent === 'string')
      statements.push({ text: sent, values: Array.isArray(values) ? values : [] });
    else if (isConfig(sent)) statements.push({ text: sent.text, values: sent.values ?? [] });
    return Reflect.apply(original, this, args);
  } as typeof pg.Client.prototype.query;
  try {
    await task();
  } finally {
    pg.Client.prototype.query = original;
  }
  return statements;
}

const isConfig = (sent: unknown): sent is { text: string; values?: unknown[] } =>
  typeof sent === 'object' && sent !== null && 'text' in sent;

/** Values that change from run to run, by their role; the others are sent as recorded. */
export type Roles = { accountId: string; blueprintId: string; orderId: string };

/** The floor: the same statements on a bare prepared `pg` client, with no computation in between. Ignores the results. */
export function replay(statements: readonly Statement[], recorded: Roles) {
  return async (client: pg.ClientBase, { accountId, blueprintId }: Omit<Roles, 'orderId'>): Promise<void> => {
    const orderId = randomUUID();
    const current: readonly [recorded: string, current: string][] = [
      [recorded.accountId, accountId],
      [recorded.blueprintId, blueprintId],
      [recorded.orderId, orderId],
    ];
    // Rows of several orders are sent as one JSON text, with the ids inside.
    const renamed = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(renamed);
      if (typeof value !== 'string') return value;
      return current.reduce((text, [before, now]) => text.replaceAll(before, now), value);
    };
    for (const [index, { text, values }] of statements.entries()) {
      if (values.length === 0) await client.query(text);
      else {
        await client.query({ name: `floor${index}`, text, values: values.map(renamed) });
      }
    }
  };
}
