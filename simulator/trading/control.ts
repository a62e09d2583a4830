/**
 * Commands with which tests, demonstrations and operators control the trading side of the simulated world: `POST
 * /simulator/trading/<what>`. The body names the venue and, if the command concerns one, the account. The schemas define the
 * other fields.
 */
import { Decimal } from 'decimal.js';
import { z } from 'zod';
import { ok, type Reply } from '../reply.ts';
import type { PriceOverrides } from '../world/price-overrides.ts';
import type { Account } from './account.ts';
import type { TradingFault } from './fault-plan.ts';
import { ledgerOf } from './ledger.ts';
import type { Order } from './orders.ts';
import type { SimulatedVenueServer } from './venue-server.ts';

export type SimulatedVenueServers = ReadonlyMap<string, SimulatedVenueServer>;

const Amount = z
  .string()
  .regex(/^-?\d{1,20}(\.\d{1,18})?$/)
  .transform((text) => new Decimal(text));
const Id = z.string().min(1).max(200);
const Environment = z.enum(['demo', 'testnet', 'live']);

/** Like {@link TradingFault}; `clear` removes all faults that were set. */
const Fault = z.object({
  clear: z.boolean().optional(),
  method: z.string().optional(),
  path: z.string().optional(),
  clientOrderId: z.string().optional(),
  nth: z.int().min(1).optional(),
  times: z.int().min(1).optional(),
  delayMs: z.int().min(0).optional(),
  isProcessed: z.boolean().optional(),
  answer: z
    .union([
      z.enum(['cut', 'hang', 'half', 'html', 'too-many']),
      z.object({ retryAfterSec: z.int().min(0) }),
      z.object({ status: z.int().min(200).max(599), body: z.unknown() }),
    ])
    .optional(),
  date: z.union([z.literal('absent'), z.int()]).optional(),
});

type CommandTarget = {
  readonly simulatedVenue: SimulatedVenueServer;
  readonly priceOverrides: PriceOverrides;
};

/** A command: its schema and its effect. Throws a RangeError for an impossible request. */
const command =
  <T>(schema: z.ZodType<T>, act: (target: CommandTarget, given: T) => unknown) =>
  (target: CommandTarget, body: unknown): unknown =>
    act(target, schema.parse(body));

const COMMANDS: Readonly<Record<string, (target: CommandTarget, body: unknown) => unknown>> = {
  /** Opens an account; `balances` by asset, under the venue's own names. Reads that lag behind show them, too. */
  accounts: command(
    z.object({ id: Id, environment: Environment, balances: z.record(Id, Amount).default({}) }),
    ({ simulatedVenue }, { id, environment, balances }) => {
      const { exchange } = simulatedVenue.venue;
      const account = exchange.openAccount({ id, environment });
      const atMs = exchange.now() - exchange.readLagMs;
      for (const [asset, amount] of Object.entries(balances))
        exchange.post(account, { atMs, kind: 'deposit', asset, amount, ref: '' });
      return { id };
    },
  ),
  /** Gives an account a key, or removes one (`revoke`). */
  keys: command(
    z.object({
      account: Id,
      id: Id,
      revoke: z.boolean().default(false),
      material: z.string().default(''),
      scopes: z.array(z.string()).default(['read', 'write']),
      expiresMs: z.int().nullable().default(null),
      tags: z.record(z.string(), z.string()).default({}),
    }),
    ({ simulatedVenue }, { account, revoke, ...key }) => {
      const { keys } = accountOf(simulatedVenue, account);
      if (revoke) keys.delete(key.id);
      else keys.set(key.id, key);
      return { id: key.id };
    },
  ),
  /** A deposit, or a withdrawal if the amount is negative. */
  transfers: command(
    z.object({ account: Id, asset: Id, amount: Amount }),
    ({ simulatedVenue }, { account, asset, amount }) =>
      simulatedVenue.venue.exchange.transfer(accountOf(simulatedVenue, account), asset, amount),
  ),
  /** A hidden fee, a price other than stated, a second settlement: the balance moves, and no record says why. */
  corrections: command(
    z.object({ account: Id, asset: Id, amount: Amount }),
    ({ simulatedVenue }, { account, asset, amount }) => {
      const { exchange } = simulatedVenue.venue;
      exchange.advance();
      const entry = { atMs: exchange.now(), kind: 'correction', asset, amount, ref: '' } as const;
      exchange.post(accountOf(simulatedVenue, account), entry);
    },
  ),
  /** States the next fills of an account at another price or fee than they are charged at. */
  misstatements: command(
    z.object({
      account: Id,
      priceBy: Amount.default(new Decimal(0)),
      feeBy: Amount.default(new Decimal(0)),
      times: z.int().min(1).max(1_000).default(1),
    }),
    ({ simulatedVenue }, { account, times, ...misstatement }) =>
      simulatedVenue.venue.exchange.misstate(accountOf(simulatedVenue, account), misstatement, times),
  ),
  /** Raises the total cost of an account's last fill by an amount that is charged later; `asset` is its currency. */
  recharges: command(
    z.object({ account: Id, more: Amount, asset: Id }),
    ({ simulatedVenue }, { account, more, asset }) => {
      const { exchange } = simulatedVenue.venue;
      const owner = accountOf(simulatedVenue, account);
      const fill = exchange.fills.findLast(({ order }) => order.account === owner);
      if (fill === undefined) throw new RangeError(`account ${account} has no fill`);
      exchange.recharge(owner, fill, { price: fill.price.plus(more.div(fill.amount)), asset });
    },
  ),
  /** Settles a market once more: takes back the last payout of an account. */
  resettlements: command(z.object({ account: Id }), ({ simulatedVenue }, { account }) =>
    simulatedVenue.venue.exchange.takeBackPayout(accountOf(simulatedVenue, account)),
  ),
  /** Forgets the resting orders of an account, as after a restart of the venue's matching engine. */
  forget: command(z.object({ account: Id }), ({ simulatedVenue }, { account }) => {
    const { exchange } = simulatedVenue.venue;
    const resting = exchange.openOrders(accountOf(simulatedVenue, account));
    for (const order of resting) exchange.forget(order);
    return { forgotten: resting.length };
  }),
  /** Places an order that is not the service's: by hand on the account, or by a stranger (no account) as a counterparty. */
  orders: command(
    z.object({
      account: Id.nullable().default(null),
      clientOrderId: z.string().default(''),
      instrument: Id,
      side: z.enum(['buy', 'sell']),
      price: Amount,
      amount: Amount,
      timeInForce: z.enum(['GTC', 'IOC', 'FOK']).default('GTC'),
      tags: z.record(z.string(), z.string()).default({}),
    }),
    ({ simulatedVenue }, { account, ...draft }) => {
      const owner = account === null ? null : accountOf(simulatedVenue, account);
      return { id: simulatedVenue.venue.exchange.place({ ...draft, account: owner }).id };
    },
  ),
  /** Fills a resting order at its price. */
  fills: command(z.object({ order: Id, amount: Amount }), ({ simulatedVenue }, { order, amount }) =>
    simulatedVenue.venue.exchange.fillResting(orderOf(simulatedVenue, order), amount),
  ),
  /** Ends an order at the venue, for a reason in the simulator's words. */
  cancels: command(
    z.object({ order: Id, reason: z.string().optional() }),
    ({ simulatedVenue }, { order, reason }) => ({
      canceled: simulatedVenue.venue.exchange.cancel(orderOf(simulatedVenue, order), reason),
    }),
  ),
  /** Sets the middle price of an instrument from now on; null: the world's own. */
  prices: command(
    z.object({ instrument: Id, price: z.number().positive().nullable() }),
    ({ simulatedVenue, priceOverrides }, { instrument, price }) =>
      priceOverrides.set(instrument, price, simulatedVenue.venue.exchange.now()),
  ),
  /** Sets the venue's behavior: its clock, the lag of its reads, whether it trades. */
  venue: command(
    z.object({
      clockOffsetMs: z.int().optional(),
      readLagMs: z.int().min(0).optional(),
      pause: z.enum(['trading', 'all']).nullable().optional(),
    }),
    ({ simulatedVenue }, { clockOffsetMs, readLagMs, pause }) => {
      const { exchange } = simulatedVenue.venue;
      exchange.advance();
      if (clockOffsetMs !== undefined) exchange.offsetMs = clockOffsetMs;
      if (readLagMs !== undefined) exchange.readLagMs = readLagMs;
      if (pause !== undefined) exchange.pause = pause;
    },
  ),
  faults: command(Fault, ({ simulatedVenue }, { clear, ...fault }) => {
    if (clear === true) simulatedVenue.faults.clear();
    else simulatedVenue.faults.add(fault as TradingFault);
  }),
  /** Disturbs all user streams from now on (null: ends it), cuts them, or sends a custom frame. */
  streams: command(
    z.object({
      disturbance: z.enum(['gap', 'duplicate', 'reorder', 'silence']).nullable().optional(),
      cut: z.boolean().optional(),
      frame: z.string().optional(),
    }),
    ({ simulatedVenue }, { disturbance, cut, frame }) => {
      if (disturbance !== undefined) simulatedVenue.streams.disturb(disturbance);
      if (frame !== undefined) simulatedVenue.streams.send(frame);
      if (cut === true) simulatedVenue.streams.cut();
    },
  ),
};

function accountOf(simulatedVenue: SimulatedVenueServer, id: string): Account {
  const account = simulatedVenue.venue.exchange.accounts.get(id);
  if (account === undefined) throw new RangeError(`there is no account ${id}`);
  return account;
}

function orderOf(simulatedVenue: SimulatedVenueServer, id: string): Order {
  const order = simulatedVenue.venue.exchange.orders.get(id);
  if (order === undefined) throw new RangeError(`there is no order ${id}`);
  return order;
}

const refusal = (status: number, error: string): Reply => ({ status, body: { error } });

/** Answers a control request about trading. */
export function controlTrading(
  what: string,
  body: unknown,
  simulatedVenues: SimulatedVenueServers,
  priceOverrides: PriceOverrides,
): Reply {
  const { venue = '', ...given } = (body ?? {}) as { venue?: string };
  const simulatedVenue = simulatedVenues.get(venue);
  if (simulatedVenue === undefined)
    return refusal(400, `venue is one of ${[...simulatedVenues.keys()].join(', ')}`);
  const own = simulatedVenue.venue.commands ?? {};
  const act = COMMANDS[what] ?? (own[what] && ((_: CommandTarget, input: unknown) => own[what]?.(input)));
  if (act === undefined) return refusal(404, Object.keys({ ...COMMANDS, ...own }).join(', '));
  try {
    return ok(act({ simulatedVenue, priceOverrides }, given) ?? {});
  } catch (error) {
    if (error instanceof z.ZodError) return refusal(400, z.prettifyError(error));
    if (error instanceof RangeError) return refusal(400, error.message);
    throw error;
  }
}

/** Every venue's accounts with their orders, fills, holdings and entries. */
export const ledgers = (simulatedVenues: SimulatedVenueServers): Reply =>
  ok(Object.fromEntries([...simulatedVenues].map(([name, { venue }]) => [name, ledgerOf(venue.exchange)])));
