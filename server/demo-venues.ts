import path from 'node:path';
import { VENUE_IDS } from '../db/vocabulary.ts';
import {
  admitDemoMember,
  type DemoConnection,
  type DemoMember,
  demoConnectionOf,
  newDemoMember,
} from '../venues/demo-members.ts';
import { keepPrivate, writePrivate } from './secrets.ts';

/**
 * A member of each simulated venue, for whoever looks around: made at the first start of a data folder, and told to the
 * simulator at every one. Beside it lies what connects it, `demo-connection-<venue>`, in a file only its owner can read.
 */
export async function openDemoVenues({
  simulatorUrl,
  dataDir,
}: {
  simulatorUrl: string;
  dataDir: string;
}): Promise<DemoConnection[]> {
  const file = (name: string) => path.join(dataDir, name);
  return Promise.all(
    VENUE_IDS.map(async (venue) => {
      const kept = keepPrivate(file(`demo-member-${venue}`), () => JSON.stringify(newDemoMember(venue)));
      const member = JSON.parse(kept) as DemoMember;
      await admitDemoMember(simulatorUrl, venue, member);
      const connection = demoConnectionOf(venue, member);
      writePrivate(file(`demo-connection-${venue}`), JSON.stringify(connection));
      return connection;
    }),
  );
}
