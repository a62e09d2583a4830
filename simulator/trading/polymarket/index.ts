/**
 * Trading at the simulated venue B. An account is named by its wallet, in lower case; its keys are those of the API, see
 * `auth.ts`. The venue knows no client order ids: faults use the order's hash instead.
 */
import { z } from 'zod';
import { ok, type Reply } from '../../reply.ts';
import type { Catalogue } from '../../world/event-series.ts';
import type { WorldClock } from '../../world/world-clock.ts';
import type { Account } from '../account.ts';
import type { TradingRequest, TradingVenue, UserStreamRules } from '../venue.ts';
import { type Caller, callerOf } from './auth.ts';
import { cancelAll, cancelOrder, heartbeat } from './cancel.ts';
import { Clearing } from './clearing.ts';
import { createOrder, hashOf } from './create.ts';
import { Markets } from './market.ts';
import { activity, balance, oneOrder, orders, positions, sessionSigners, trades } from './reads.ts';
import { secondsOf, TOO_MANY, UNAUTHORIZED, VENUE_MODE_REPLIES } from './replies.ts';
import { userStream } from './stream.ts';

type Route = (clearing: Clearing, caller: Caller, ask: TradingRequest) => Reply;

const ROUTES: Readonly<Record<string, Route>> = {
  'POST order': createOrder,
  'DELETE order': cancelOrder,
  'DELETE cancel-all': cancelAll,
  'GET data/orders': orders,
  'GET data/trades': trades,
  'GET balance-allowance': balance,
  'POST v1/heartbeats': heartbeat,
  'GET v1/user/session-signers': sessionSigners,
  'GET auth/ban-status/closed-only': (clearing, { account }) =>
    ok({ closed_only: clearing.closedOnly.has(account.id) }),
};

const PUBLIC: Readonly<Record<string, (clearing: Clearing, ask: TradingRequest) => Reply>> = {
  'GET time': ({ exchange }) => ok(secondsOf(exchange.venueNow())),
  'GET version': () => ok({ version: 2 }),
  'GET positions': positions,
  'GET v2/activity': activity,
  'GET api/geoblock': ({ isBlocked }) =>
    ok({ blocked: isBlocked, ip: '127.0.0.1', country: 'XX', region: '' }),
};

const SINGLE = /^data\/order\/(0x[0-9a-fA-F]{64})$/;

const OfAccount = z.object({ account: z.string() });

export class PolymarketTrading implements TradingVenue {
  readonly name = 'clob';
  readonly clearing: Clearing;
  readonly stream: UserStreamRules;
  readonly commands: NonNullable<TradingVenue['commands']>;

  constructor(catalogue: Catalogue, clock: WorldClock) {
    this.clearing = new Clearing(new Markets(catalogue), clock);
    this.stream = userStream(this.clearing);
    this.commands = commandsOf(this.clearing);
  }

  get exchange() {
    return this.clearing.exchange;
  }

  answer(ask: TradingRequest): Reply | null {
    const name = `${ask.method} ${ask.path}`;
    const open = PUBLIC[name];
    const single = ask.method === 'GET' ? SINGLE.exec(ask.path)?.[1] : undefined;
    const route =
      single === undefined
        ? ROUTES[name]
        : (...[clearing, caller]: Parameters<Route>) => oneOrder(clearing, caller, single.toLowerCase());
    if (open === undefined && route === undefined) return null;
    this.clearing.settle();
    if (open !== undefined) return open(this.clearing, ask);
    const caller = callerOf(this.exchange.accounts, ask, this.exchange.venueNow());
    return caller === null || route === undefined ? UNAUTHORIZED : route(this.clearing, caller, ask);
  }

  clientOrderIdOf(ask: TradingRequest): string | null {
    return ask.method === 'POST' && ask.path === 'order' ? hashOf(this.clearing, ask) : null;
  }

  tooMany(): Reply {
    return TOO_MANY;
  }
}

/** Commands of this venue only; see `control.ts`. */
function commandsOf(clearing: Clearing): NonNullable<TradingVenue['commands']> {
  const accountOf = (id: string): Account => {
    const account = clearing.exchange.accounts.get(id.toLowerCase());
    if (account === undefined) throw new RangeError(`there is no account ${id}`);
    return account;
  };
  const Mode = z.enum(
    Object.keys(VENUE_MODE_REPLIES) as [
      keyof typeof VENUE_MODE_REPLIES,
      ...(keyof typeof VENUE_MODE_REPLIES)[],
    ],
  );
  const Changes = z.object({
    mode: Mode.nullable().optional(),
    matchDelayMs: z.int().nonnegative().optional(),
    isBlocked: z.boolean().optional(),
  });
  const Trade = z.object({
    trade: z.string(),
    status: z.enum(['MATCHED', 'MINED', 'CONFIRMED', 'RETRYING', 'FAILED']),
  });
  const Allowance = OfAccount.extend({ contract: z.string(), units: z.string().regex(/^\d{1,78}$/) });
  return {
    /** Sets whether it accepts orders, how long marketable ones wait, whether it blocks the caller's region. */
    behavior: (given) => {
      const { mode, matchDelayMs, isBlocked } = Changes.parse(given);
      clearing.settle();
      if (mode !== undefined) clearing.mode = mode;
      if (matchDelayMs !== undefined) clearing.matchDelayMs = matchDelayMs;
      if (isBlocked !== undefined) clearing.isBlocked = isBlocked;
    },
    /** Sets the on-chain status of a trade. */
    trades: (given) => {
      const { trade, status } = Trade.parse(given);
      clearing.setTradeStatus(trade, status);
    },
    allowances: (given) => {
      const { account, contract, units } = Allowance.parse(given);
      clearing.allow(accountOf(account), contract, units);
    },
    /** Restricts the account to reducing its positions, or lifts the restriction. */
    'closed-only': (given) => {
      const { account, isClosedOnly } = OfAccount.extend({ isClosedOnly: z.boolean() }).parse(given);
      if (isClosedOnly) clearing.closedOnly.add(accountOf(account).id);
      else clearing.closedOnly.delete(accountOf(account).id);
    },
    redemptions: (given) => {
      const { account, token } = OfAccount.extend({ token: z.string() }).parse(given);
      clearing.redeem(accountOf(account), token);
    },
  };
}
