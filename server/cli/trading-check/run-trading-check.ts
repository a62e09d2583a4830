import { VENUE_IDS } from '../../../db/vocabulary.ts';
import { startSimulator, TICK_MS } from '../../../simulator/index.ts';
import type { FeedClock } from '../../../venues/clock.ts';
import { createDemoAccount, registerDemoAccount } from '../../../venues/demo-accounts.ts';
import { stopOnSignals } from '../../kernel/stop-signal.ts';
import { checkTargets } from './check-targets.ts';
import { credentialsIn, type GivenCredentials } from './credentials.ts';
import { checkTrading } from './index.ts';
import { isBad, type Row } from './rows.ts';

/** The check ends after this time, whatever the venues do. */
const RUN_MAX_MS = 10 * 60_000;

export type CheckOptions = { simulator: boolean; credentials?: string | undefined; measure: boolean };

/** Runs `npm run venues:check -- --trading`: prints each finding as it comes, and returns the exit code. */
export async function runTradingCheck(options: CheckOptions): Promise<number> {
  const problem = problemOf(options);
  if (problem !== null) return refuse(problem);
  const signal = AbortSignal.any([stopOnSignals().signal, AbortSignal.timeout(RUN_MAX_MS)]);
  const rows: Row[] = [];
  const onRow = (row: Row) => {
    rows.push(row);
    console.log(`${row.venue.padEnd(8)} ${row.check.padEnd(36)} ${row.result.padEnd(12)} ${row.note}`);
  };
  try {
    await using world = await worldOf(options);
    for (const { venue, host } of checkTargets(world.simulatorUrl)) console.log(`${venue.padEnd(8)} ${host}`);
    await checkTrading({ ...world, isMeasured: options.measure, onRow, signal });
  } catch (error) {
    if (!signal.aborted) return refuse(error instanceof Error ? error.message : String(error));
    console.log('Stopped; all placed orders were canceled.');
    return 1;
  }
  console.log(sentenceOf(rows));
  return rows.some(isBad) ? 1 : 0;
}

function problemOf({ simulator, credentials, measure }: CheckOptions): string | null {
  if (measure && !simulator && credentials === undefined) {
    return '--measure places orders of a demo account: name its keys with --credentials <file>.';
  }
  return null;
}

function refuse(sentence: string): number {
  console.error(sentence);
  return 1;
}

type World = AsyncDisposable & {
  simulatorUrl: string | null;
  given: GivenCredentials;
  clock?: FeedClock;
  hold?: (ms: number) => Promise<void>;
};

/** Opens the venues with the accounts of a file, or simulated ones of this process whose clock the check advances. */
async function worldOf({ simulator, credentials }: CheckOptions): Promise<World> {
  if (!simulator) {
    const given = credentials === undefined ? {} : credentialsIn(credentials);
    return { simulatorUrl: null, given, [Symbol.asyncDispose]: async () => undefined };
  }
  const world = await startSimulator();
  const members = await Promise.all(
    VENUE_IDS.map(async (venue) => {
      const member = createDemoAccount(venue);
      await registerDemoAccount(world.url, venue, member);
      return [venue, Buffer.from(JSON.stringify(member.credentials))] as const;
    }),
  );
  return {
    simulatorUrl: world.url,
    given: Object.fromEntries(members),
    clock: world.clock,
    hold: async (ms) => world.clock.advance(Math.ceil(ms / TICK_MS)),
    [Symbol.asyncDispose]: () => world.close(),
  };
}

function sentenceOf(rows: readonly Row[]): string {
  if (rows.every(({ result }) => result === 'unreachable')) {
    return 'No venue could be reached: there is no network, or it does not let them through.';
  }
  const bad = rows.filter(isBad).length;
  return bad === 0
    ? 'Orders can be sent from here, as far as checks without real money show.'
    : `${bad} of ${rows.length} findings are not ok.`;
}
