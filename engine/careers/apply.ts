import type { EntityManager } from '@mikro-orm/postgresql';
import { CareersApplication } from '../../db/entities/careers.ts';
import { newId } from '../ids.ts';

export type Application = {
  name: string;
  email: string;
  role: string | null;
  message: string;
  links: string[];
};

/** Stores what somebody sent through the careers form; answers its id. */
export async function receiveApplication(em: EntityManager, application: Application): Promise<string> {
  const id = newId();
  em.create(CareersApplication, { id, ...application, createdAt: new Date() });
  await em.flush();
  return id;
}
