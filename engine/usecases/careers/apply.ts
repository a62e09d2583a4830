import { type Pool, unscopedDb } from '../../../db/pool.ts';
import { newId } from '../../platform/ids.ts';

export type Application = {
  name: string;
  email: string;
  role: string | null;
  message: string;
  links: string[];
};

/** Stores an application from the careers form; returns its id. */
export async function receiveApplication(
  pool: Pool,
  { links, ...application }: Application,
): Promise<string> {
  const id = newId();
  await unscopedDb(pool)
    .insertInto('careers_application')
    .values({ id, ...application, links, created_at: new Date() })
    .execute();
  return id;
}
