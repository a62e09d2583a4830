import path from 'node:path';
import { z } from 'zod';
import { VENUE_IDS } from '../../db/vocabulary.ts';
import {
  createDemoAccount,
  type DemoAccount,
  type DemoConnection,
  demoConnectionOf,
  registerDemoAccount,
} from '../../venues/demo-accounts.ts';
import { startRounds } from '../kernel/rounds/rounds.ts';
import { ensurePrivate, readPrivate, writePrivate } from '../kernel/secrets.ts';

/** How often the balances of the simulated accounts are saved. */
const SAVE_EVERY_MS = 5_000;

export type DemoVenues = {
  readonly connections: readonly DemoConnection[];
  /** Saves the balances and stops the timer. */
  stop(): Promise<void>;
};

/**
 * Opens a demo account at each simulated venue. It is created at the first start of a data folder and registered with the
 * simulator at every start. Its credentials lie in `demo-connection-<venue>`, a file only its owner can read. Simulated venues
 * keep all in memory, so balances are saved to `demo-holdings-<venue>` and restored at the next start. Books and venue then
 * agree; resting orders are lost.
 */
export async function openDemoVenues({
  simulatorUrl,
  dataDir,
}: {
  simulatorUrl: string;
  dataDir: string;
}): Promise<DemoVenues> {
  const file = (name: string) => path.join(dataDir, name);
  const members = await Promise.all(
    VENUE_IDS.map(async (venue) => {
      const stored = ensurePrivate(file(`demo-member-${venue}`), () =>
        JSON.stringify(createDemoAccount(venue)),
      );
      const member = JSON.parse(stored) as DemoAccount;
      const held = readPrivate(file(`demo-holdings-${venue}`));
      const balances = held === null ? member.account.balances : JSON.parse(held);
      await registerDemoAccount(simulatorUrl, venue, { ...member, account: { ...member.account, balances } });
      const connection = demoConnectionOf(venue, member);
      writePrivate(file(`demo-connection-${venue}`), JSON.stringify(connection));
      return { venue, accountId: member.account.id, connection };
    }),
  );
  const save = async () => {
    const holdings = await readHoldings(simulatorUrl);
    for (const { venue, accountId } of members) {
      const held = holdings.get(accountId);
      if (held !== undefined) writePrivate(file(`demo-holdings-${venue}`), JSON.stringify(held));
    }
  };
  // A remote simulator may be unavailable for a while.
  const saving = startRounds(() => save().catch(() => {}), SAVE_EVERY_MS);
  return {
    connections: members.map(({ connection }) => connection),
    stop: async () => {
      await saving.stop();
      await save().catch(() => {});
    },
  };
}

const Ledgers = z.record(
  z.string(),
  z.array(z.object({ id: z.string(), holdings: z.record(z.string(), z.string()) })),
);

/** Reads the balances of each account at the simulated venues, by its id. */
async function readHoldings(simulatorUrl: string): Promise<ReadonlyMap<string, Record<string, string>>> {
  const answer = await fetch(`${simulatorUrl}/simulator/ledger`, { signal: AbortSignal.timeout(ASK_MS) });
  const accounts = Object.values(Ledgers.parse(await answer.json())).flat();
  return new Map(accounts.map(({ id, holdings }) => [id, holdings]));
}

const ASK_MS = 5_000;
