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
import { type CheckTarget, checkTargets } from './check-targets.ts';
import { type GivenCredentials, unknownCredentials } from './credentials.ts';
import {
  cancelOpenOrders,
  findTestInstrument,
  type MeasureContext,
  measureClientOrderIdReuse,
  measureRequestExpiry,
} from './order-checks.ts';
import { checkClock, checkPublicEndpoint, checkRefusal, checkSignedRead, get } from './read-checks.ts';
import { type Finding, type Row, runCheck } from './rows.ts';

export type TradingCheck = {
  /** Null: the venues' own demo and test hosts. */
  readonly simulatorUrl: string | null;
  readonly given: GivenCredentials;
  /** Whether to place orders with the given demo accounts. */
  readonly isMeasured: boolean;
  /** Called with each row as soon as it is known. */
  readonly onRow: (row: Row) => void;
  readonly signal: AbortSignal;
  /** The simulated clock, and how to wait on it; by default this machine's. */
  readonly clock?: FeedClock;
  readonly hold?: (ms: number) => Promise<void>;
};

/** Returns all rows. If aborted, rejects once its own orders are canceled. */
export async function checkTrading(check: TradingCheck): Promise<Row[]> {
  const rows: Row[] = [];
  for (const target of checkTargets(check.simulatorUrl)) {
    const add = async (name: string, ask: () => Promise<Finding>): Promise<Row> => {
      check.signal.throwIfAborted();
      const row = await runCheck(target, name, ask, check.signal);
      rows.push(row);
      check.onRow(row);
      return row;
    };
    await checkTarget(target, check, add);
  }
  return rows;
}

type Signing = Pick<OpenBrokerOptions, 'usesWrongKey'>;
type Add = (name: string, ask: () => Promise<Finding>) => Promise<Row>;

async function checkTarget(target: CheckTarget, check: TradingCheck, add: Add): Promise<void> {
  const context = { clock: check.clock ?? new ObservedClock(), signal: check.signal };
  const { result } = await add('clock', () => checkClock(target, context));
  // Without the host no other check is possible.
  if (result === 'unreachable') return;
  for (const question of target.questions)
    await add(question.what, () => checkPublicEndpoint(question, context));
  const brokerOf = (plain: Buffer, more: Signing = {}) =>
    openBroker(target.venue, plain, { ...optionsAt(target, check, context.clock), ...more });
  await add('an unknown key', async () => checkRefusal(brokerOf(unknownCredentials(target.venue))));
  const plain = check.given[target.venue];
  if (target.environment === null || plain === undefined) return;
  const broker = brokerOf(plain);
  const read = await add('signed read', () => checkSignedRead(broker));
  await add('a spoiled signature', async () => checkRefusal(brokerOf(plain, { usesWrongKey: true })));
  if (check.isMeasured && read.result === 'ok') await measure(target, broker, check, add, context.clock);
}

/** Venue B has no demo: its live host gets only reads and unknown keys. */
const optionsAt = (target: CheckTarget, check: TradingCheck, clock: FeedClock): OpenBrokerOptions => ({
  environment: target.environment ?? 'live',
  simulatorUrl: check.simulatorUrl,
  clock,
  feesOf: async () => null,
  parseErrors: new ParseErrorLog(null),
});

async function measure(
  target: CheckTarget,
  broker: Broker,
  check: TradingCheck,
  add: Add,
  clock: FeedClock,
): Promise<void> {
  if (target.listing === null) return;
  const { urls, tokens } = target.listing;
  await using market = await openMarketData({ mode: 'live', baseUrls: urls });
  const listed =
    'url' in tokens ? tokens.read((await get(tokens.url, { clock, signal: check.signal })).body) : tokens;
  const subject = await findTestInstrument(listed, market);
  if (subject === null) {
    await add('measuring', async () => ({ result: 'left out', note: 'nothing that costs little is traded' }));
    return;
  }
  const inTime = (ms: number): Promise<void> => sleep(ms, undefined, { signal: check.signal });
  const measuring: MeasureContext = {
    broker,
    subject,
    now: () => new Date(clock.now()),
    hold: check.hold ?? inTime,
    sent: new Set(),
  };
  try {
    await add('delay from signing to arrival', () => measureRequestExpiry(target, measuring));
    await add('reuse of an id, once canceled', () => measureClientOrderIdReuse(measuring, 'rests'));
    await add('reuse of an id, once filled', () => measureClientOrderIdReuse(measuring, 'fills'));
  } finally {
    await cancelOpenOrders(measuring);
  }
}
