import { type Pool, unscopedDb } from '../../../db/pool.ts';
import { newId } from '../../platform/ids.ts';

export type JobApplication = {
  name: string;
  email: string;
  role: string | null;
  message: string;
  links: string[];
};

/** Stores an application from the careers form; returns its id. */
export async function storeJobApplication(
  pool: Pool,
  { links, ...application }: JobApplication,
): Promise<string> {
  const id = newId();
  await unscopedDb(pool)
    .insertInto('careers_application')
    .values({ id, ...application, links, created_at: new Date() })
    .execute();
  return id;
}
