/**
 * Checks whether orders can be sent from here. Sends the demo and test hosts of the venues every request that places no order.
 * With credentials of a demo account and `isMeasured`, it also measures undocumented behaviour. It never sends an order to a
 * host where orders cost money: the environments are a table in code without such a host.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { openMarketData } from '../../../simulator/market-data.ts';
import type { Broker } from '../../../venues/broker.ts';
import { type FeedClock, ObservedClock } from '../../../venues/clock.ts';
import { type OpenBrokerOptions, openBroker } from '../../../venues/open-broker.ts';
import { ParseErrorLog } from '../../../venues/parse-error-log.ts';
import { answerTo, clockOf, get, refusal, signedRead } from './ask.ts';
import { type Given, unknownCredentials } from './credentials.ts';
import { arrivalBound, clearUp, type Measuring, repeatedId, subjectOf } from './measure.ts';
import { type Place, placesAt } from './places.ts';
import { type Finding, find, type Row } from './rows.ts';

export type TradingCheck = {
  /** Null: the venues' own demo and test hosts. */
  readonly simulatorUrl: string | null;
  readonly given: Given;
  /** Whether to place orders with the given demo accounts. */
  readonly isMeasured: boolean;
  /** Called with each row as soon as it is known. */
  readonly tell: (row: Row) => void;
  readonly signal: AbortSignal;
  /** The simulated clock, and how to wait on it; by default this machine's. */
  readonly clock?: FeedClock;
  readonly hold?: (ms: number) => Promise<void>;
};

/** Returns all rows. If aborted, rejects once its own orders are canceled. */
export async function checkTrading(check: TradingCheck): Promise<Row[]> {
  const rows: Row[] = [];
  for (const place of placesAt(check.simulatorUrl)) {
    const add = async (name: string, ask: () => Promise<Finding>): Promise<Row> => {
      check.signal.throwIfAborted();
      const row = await find(place, name, ask, check.signal);
      rows.push(row);
      check.tell(row);
      return row;
    };
    await checkPlace(place, check, add);
  }
  return rows;
}

type Signing = Pick<OpenBrokerOptions, 'isSpoiled'>;
type Add = (name: string, ask: () => Promise<Finding>) => Promise<Row>;

async function checkPlace(place: Place, check: TradingCheck, add: Add): Promise<void> {
  const asking = { clock: check.clock ?? new ObservedClock(), signal: check.signal };
  const { result } = await add('clock', () => clockOf(place, asking));
  // Without the host no other check is possible.
  if (result === 'unreachable') return;
  for (const question of place.questions) await add(question.what, () => answerTo(question, asking));
  const brokerOf = (plain: Buffer, more: Signing = {}) =>
    openBroker(place.venue, plain, { ...optionsAt(place, check, asking.clock), ...more });
  await add('an unknown key', async () => refusal(brokerOf(unknownCredentials(place.venue))));
  const plain = check.given[place.venue];
  if (place.environment === null || plain === undefined) return;
  const broker = brokerOf(plain);
  const read = await add('signed read', () => signedRead(broker));
  await add('a spoiled signature', async () => refusal(brokerOf(plain, { isSpoiled: true })));
  if (check.isMeasured && read.result === 'ok') await measure(place, broker, check, add, asking.clock);
}

/** Venue B has no demo: its live host gets only reads and unknown keys. */
const optionsAt = (place: Place, check: TradingCheck, clock: FeedClock): OpenBrokerOptions => ({
  environment: place.environment ?? 'live',
  simulatorUrl: check.simulatorUrl,
  clock,
  feesOf: async () => null,
  parseErrors: new ParseErrorLog(null),
});

async function measure(
  place: Place,
  broker: Broker,
  check: TradingCheck,
  add: Add,
  clock: FeedClock,
): Promise<void> {
  if (place.listing === null) return;
  const { urls, tokens } = place.listing;
  await using market = await openMarketData({ mode: 'live', baseUrls: urls });
  const listed =
    'url' in tokens ? tokens.read((await get(tokens.url, { clock, signal: check.signal })).body) : tokens;
  const subject = await subjectOf(listed, market);
  if (subject === null) {
    await add('measuring', async () => ({ result: 'left out', note: 'nothing that costs little is traded' }));
    return;
  }
  const inTime = (ms: number): Promise<void> => sleep(ms, undefined, { signal: check.signal });
  const measuring: Measuring = {
    broker,
    subject,
    now: () => new Date(clock.now()),
    hold: check.hold ?? inTime,
    sent: new Set(),
  };
  try {
    await add('delay from signing to arrival', () => arrivalBound(place, measuring));
    await add('reuse of an id, once canceled', () => repeatedId(measuring, 'rests'));
    await add('reuse of an id, once filled', () => repeatedId(measuring, 'fills'));
  } finally {
    await clearUp(measuring);
  }
}
