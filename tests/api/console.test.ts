import { randomUUID } from 'node:crypto';
import { Decimal } from 'decimal.js';
import { beforeAll, describe, expect, test } from 'vitest';
import { bearer, expectOk } from '../support/api.ts';
import { addChannel } from '../support/notifications.ts';
import { openedForFile } from '../support/opened.ts';
import { addBlueprint, hold, openMarket, pendingBuy, TOKEN } from '../support/trading.ts';
import { trpcClient } from '../support/trpc-client.ts';
import { ORIGIN, openWorld } from '../support/world.ts';

const world = openedForFile(openWorld);

beforeAll(() => openMarket(world));

const clientOf = (key: string) => trpcClient(world, bearer(key));

const sessionOf = (cookie: string) => trpcClient(world, { cookie, origin: ORIGIN });

describe('queries of the console', () => {
  test('orders come with names, newest first, filtered and in pages, and only the caller’s own', async () => {
    const account = await world.account();
    const { console: read } = clientOf(account.key);
    const blueprintId = await addBlueprint(account, 'Named', { nodes: [], edges: [] });
    await hold(world, account, { blueprintId, amount: '0.001' });
    const pending = await pendingBuy(world, account, { blueprintId, amount: '0.001' });

    const all = await read.orders.query({});
    expect(all[0]).toMatchObject({
      id: pending.id,
      status: 'pending',
      blueprintId,
      blueprintName: 'Named',
      tokenId: TOKEN,
      amount: 0.001,
      averagePrice: null,
    });
    expect(await read.orders.query({ status: 'pending' })).toEqual([all[0]]);
    const [newest] = all;
    if (!newest) throw new Error('There are no orders.');
    expect(await read.orders.query({ after: newest.id })).toEqual(all.slice(1));

    const stranger = await world.account();
    expect(await clientOf(stranger.key).console.orders.query({})).toEqual([]);
  });

  test('the delivery log comes in pages, newest first, filtered, and only the caller’s own', async () => {
    const account = await world.account();
    const { console: read } = clientOf(account.key);
    const channelId = await addChannel(account);
    for (let sent = 0; sent < 3; sent++)
      expectOk(await account.http('POST', `/api/notification-channels/${channelId}/test`));
    const all = await read.deliveries.query({});
    expect(all.map(({ kind }) => kind)).toEqual(['test', 'test', 'test']);
    const page = await read.deliveries.query({ limit: 2, channelId, status: 'waiting' });
    expect(page).toEqual(all.slice(0, 2));
    const [, last] = page;
    const before = { at: last?.createdAt ?? '', id: last?.id ?? '' };
    expect(await read.deliveries.query({ limit: 2, before })).toEqual(all.slice(2));
    const stranger = await world.account();
    expect(await clientOf(stranger.key).console.deliveries.query({})).toEqual([]);
  });

  test('the rules come with their titles and formats, and without a limit of any account', async () => {
    const account = await world.account('risk:read');
    const { rules, others } = await clientOf(account.key).console.rules.query({});
    expect(rules.map(({ name, title }) => [name, title])).toEqual([
      ['maxOrderSize', 'Largest order'],
      ['requireApprovalAbove', 'Approval above'],
      ['maxOpenPositions', 'Open positions'],
      ['maxOrdersPerMinute', 'Orders a minute'],
      ['maxDailyLoss', 'Daily loss'],
      ['cooldownAfterLossSec', 'Pause after a loss'],
    ]);
    expect(rules[5]).toEqual({
      name: 'cooldownAfterLossSec',
      title: 'Pause after a loss',
      unit: 'seconds',
      phrase: '{actual} of {limit}',
      help: 'Buys are denied this long after a losing sell.',
      isWhole: true,
      looser: 'lower',
      breach: 'deny',
    });
    expect(others.slice(-2).map(({ name }) => name)).toEqual(['buyingPower', 'heldAndFree']);
    // Lines of live orders and of keys have titles, too.
    const titles = new Map(others.map(({ name, title }) => [name, title]));
    expect(titles.get('serviceMaxOrder')).toBe('Largest order of the service');
    for (const name of ['connection', 'venueFunds', 'connectionMaxDay', 'keyMaxOrder'])
      expect(titles.get(name), name).toMatch(/^[A-Z][a-z]+ [a-z ]+/);
  });

  test('one instrument comes with its book, best first; an unknown one is refused', async () => {
    const account = await world.account('market_data:read');
    const { console: read } = clientOf(account.key);
    const market = await read.market.query({ tokenId: TOKEN });
    expect(market).toMatchObject({ tokenId: TOKEN, venue: 'crypto', status: 'open', tradable: true });
    const prices = (levels: { price: number }[]) => levels.map(({ price }) => price);
    expect(prices(market.bids)).toEqual(prices(market.bids).sort((a, b) => b - a));
    expect(prices(market.asks)).toEqual(prices(market.asks).sort((a, b) => a - b));
    await expect(read.market.query({ tokenId: 'NOSUCHCOIN' })).rejects.toMatchObject({
      data: { error: { code: 'not_found' } },
    });
  });

  test('instruments of all venues are found by words, and any by its id, with their current prices', async () => {
    const account = await world.account('market_data:read');
    const { console: read } = clientOf(account.key);
    const search = () => read.instruments.query({ find: '' });
    // A busy machine may make a venue late.
    await expect.poll(async () => (await search()).silent, { timeout: 30_000 }).toEqual([]);
    const busiest = await search();
    expect(new Set(busiest.instruments.map(({ venue }) => venue))).toEqual(
      new Set(['venue-a', 'venue-b', 'crypto']),
    );
    const outcome = busiest.instruments.find(({ venue }) => venue === 'venue-b');
    if (!outcome) throw new Error('Venue B lists nothing.');
    const [word = ''] = outcome.title.split(/\W/).filter(({ length }) => length > 4);
    const byWord = await read.instruments.query({ find: word });
    expect(byWord.instruments.some(({ title }) => title.includes(word))).toBe(true);

    // In a person's spelling, or in the venue's: the id finds itself, and first.
    const coins = await read.instruments.query({ find: 'btc/usdt' });
    expect(coins.instruments[0]).toMatchObject({ tokenId: TOKEN, venue: 'crypto', last: expect.any(Number) });
    const called = await read.instruments.query({ find: 'Bitcoin' });
    expect(called.instruments.map(({ tokenId }) => tokenId)).toContain(TOKEN);
    for (const { tokenId } of [outcome, ...busiest.instruments.slice(0, 1)]) {
      const [first, ...others] = (await read.instruments.query({ find: tokenId })).instruments;
      expect(first?.tokenId).toBe(tokenId);
      expect(others.map((each) => each.tokenId)).not.toContain(tokenId);
    }

    const tokenIds = [outcome.tokenId, 'NOSUCHCOIN', TOKEN, 'of no venue', TOKEN];
    const looked = await read.instruments.query({ tokenIds });
    expect(looked.instruments.map(({ tokenId }) => tokenId)).toEqual([outcome.tokenId, TOKEN, TOKEN]);
    expect(looked.instruments[0]?.title).not.toBe('');
    expect(await read.instruments.query({ tokenIds: [] })).toEqual({ instruments: [], silent: [] });
    await expect(read.instruments.query({ find: 'x'.repeat(101) })).rejects.toMatchObject({
      data: { error: { code: 'validation_failed' } },
    });
  });

  test('a venue in trouble is named, and the others are listed', async () => {
    const { key } = await world.account('market_data:read');
    const { console: read } = clientOf(key);
    const faults = world.market.simulator?.faults ?? expect.unreachable();
    faults.set('/gamma', { kind: 'status', status: 500 });
    try {
      // A new search: known instruments are listed even while a venue is unavailable.
      const search = () => read.instruments.query({ find: 'usd' });
      await expect.poll(async () => (await search()).silent, { timeout: 30_000 }).toEqual(['venue-b']);
      const { instruments } = await search();
      expect(instruments.some(({ venue }) => venue === 'crypto')).toBe(true);
    } finally {
      faults.clear();
    }
  });

  test('a template has the curve of a backtest by day, or none if no history of its markets is shipped', async () => {
    const templates = await clientOf((await world.account()).key).console.templates.query({});
    const curves = templates.flatMap(({ key, backtest }) => (backtest ? [{ key, ...backtest }] : []));
    expect(curves.map(({ key }) => key)).toEqual([
      'momentum',
      'bollinger-breakout',
      'macd',
      'mean-reversion',
      'grid',
      'pair',
      'probability-edge',
      'probability-range',
      'hedged-contract',
      'bracket',
      'ladder',
      'twap',
      'accumulation',
      'rotation',
      'rebalancing',
      'first-of-month',
    ]);
    for (const { from, to, equity, filled, markets, buyAndHold, maxExposure } of curves) {
      const days = (Date.parse(to) - Date.parse(from)) / 86_400_000;
      expect([equity.length, equity[0]]).toEqual([1 + days, 10_000]);
      expect(filled).toBeGreaterThan(0);
      expect(maxExposure).toBeGreaterThan(0);
      expect(maxExposure).toBeLessThan(1);
      // Beside it: the same days of the same coins, held.
      const same = curves.find((other) => `${[other.markets, other.from]}` === `${[markets, from]}`);
      expect(buyAndHold).toBe(same?.buyAndHold);
    }
  });

  test('a blueprint comes with the version that its deploy can be bound to', async () => {
    const account = await world.account();
    const client = clientOf(account.key);
    const id = await addBlueprint(account, 'Reviewed', { nodes: [], edges: [] });
    const { version, ...view } = await client.console.blueprint.query({ id });
    expect(view).toEqual(await client.blueprints.read.query({ id }));
    const { headers } = await account.http('GET', `/api/blueprints/${id}`);
    expect(headers.get('etag')).toBe(`"v${version}"`);
    await client.blueprints.update.mutate({ id, name: 'Renamed' });
    expect(await client.console.blueprint.query({ id })).toMatchObject({ version: version + 1 });
    const stranger = await world.account();
    await expect(clientOf(stranger.key).console.blueprint.query({ id })).rejects.toMatchObject({
      data: { error: { code: 'not_found' } },
    });
  });

  test('the performance of all blueprints equals that of each one; one that never traded has none', async () => {
    const account = await world.account();
    const client = clientOf(account.key);
    const trading = await addBlueprint(account, 'Trades', { nodes: [], edges: [] });
    await addBlueprint(account, 'Never traded', { nodes: [], edges: [] });
    await hold(world, account, { blueprintId: trading, amount: '0.001' });
    const performance = await client.blueprints.performance.query({ id: trading });
    const { strategies } = await client.console.account.query({});
    expect(strategies).toEqual([
      {
        blueprintId: trading,
        ...performance,
        totalPnl: new Decimal(performance.realizedPnl).plus(performance.unrealizedPnl).toNumber(),
        lastFillAt: expect.stringMatching(/^\d{4}-.+Z$/),
      },
    ]);
    const stranger = await world.account();
    expect(await clientOf(stranger.key).console.account.query({})).toMatchObject({
      strategies: [],
      positions: [],
    });
  });

  test('the numbers of an account add up: cash and holdings, realized and unrealized, strategies, days', async () => {
    const account = await world.account();
    const { console: read } = clientOf(account.key);
    const trading = await addBlueprint(account, 'Trading');
    const other = await addBlueprint(account, 'Other');
    await hold(world, account, { blueprintId: trading, amount: '0.002' });
    await hold(world, account, { blueprintId: other, amount: '0.001' });
    await account.http('POST', '/api/portfolio/close', { body: { tokenId: TOKEN, amount: 0.001 } });
    const now = await read.account.query({});
    const sum = (...parts: number[]) =>
      parts.reduce((all, part) => all.plus(part), new Decimal(0)).toNumber();
    expect(sum(now.cash, now.worth)).toBe(now.equity);
    expect(sum(now.realizedPnl, now.unrealizedPnl)).toBe(now.totalPnl);
    expect(sum(10_000, now.totalPnl)).toBe(now.equity);
    expect(sum(...now.strategies.map(({ totalPnl }) => totalPnl))).toBe(now.totalPnl);
    expect(sum(...now.positions.map(({ unrealizedPnl }) => unrealizedPnl ?? 0))).toBe(now.unrealizedPnl);
    expect(now.limits).toContainEqual(expect.objectContaining({ rule: 'maxOpenPositions', used: 1 }));
    const { before, days } = await read.days.query({});
    expect(sum(before, ...days.map(({ pnl }) => pnl))).toBe(now.totalPnl);
    expect(now.dayPnl).toBe(now.totalPnl);
    expect(await read.sparks.query({})).toEqual([]);
  });

  test('histories of markets of an event come in one read; one that fails is absent, and all that fail are an error', async () => {
    const client = clientOf((await world.account()).key);
    const listed = await client.marketData.venueA.query({ top: 20 });
    const refs = 'markets' in listed ? listed.markets.slice(0, 3).map(({ ref }) => ref) : [];
    const read = (input: string[]) =>
      client.console.histories.query({ venue: 'venue-a', refs: input, interval: '1w' });
    const lines = await read([...refs, 'NO-SUCH-MARKET']);
    expect(lines.map(({ ref }) => ref)).toEqual([...refs, 'NO-SUCH-MARKET']);
    expect(lines[3]?.points).toBeNull();
    const [ref = ''] = refs;
    const one = await client.marketData.venueA.query({ ref, interval: '1w' });
    if (one.kind !== 'history') throw new Error(`The answer is ${one.kind}.`);
    expect(lines[0]?.points).toEqual(one.points.map(({ t, p }) => ({ t, p })));
    await expect(read(['NO-SUCH-MARKET'])).rejects.toMatchObject({ data: { httpStatus: 404 } });
    for (const wrong of [[], [ref, ref], ['A', 'B', 'C', 'D', 'E']])
      await expect(read(wrong)).rejects.toMatchObject({ data: { httpStatus: 400 } });
  });

  test('the candles before an instant come a hundred at a time, ascending; before 1970 there are none', async () => {
    const client = clientOf((await world.account()).key);
    const now = await client.marketData.crypto.query({ symbol: TOKEN, type: 'klines', interval: '1h' });
    const first = now.kind === 'klines' ? now.klines[0] : undefined;
    const page = { symbol: TOKEN, interval: '1h' } as const;
    const older = await client.console.candles.query({ ...page, before: first?.t ?? '' });
    const times = older.map(({ t }) => t);
    expect(times).toHaveLength(100);
    expect(times).toEqual([...times].sort());
    expect(Date.parse(first?.t ?? '') - Date.parse(times.at(-1) ?? '')).toBe(3_600_000);
    expect(await client.console.candles.query({ ...page, before: '1969-01-01T00:00:00.000Z' })).toEqual([]);
  });

  test('the history of a blueprint lists its trades, their results, and the nodes that acted', async () => {
    const account = await world.account();
    const { console: read } = clientOf(account.key);
    const id = await addBlueprint(account, 'Trading');
    expect(await read.trading.query({ id })).toEqual({
      instruments: [],
      steps: [],
    });
    await hold(world, account, { blueprintId: id, amount: '0.002' });
    const { instruments } = await read.trading.query({ id });
    expect(instruments).toMatchObject([
      { tokenId: TOKEN, venue: 'crypto', fillCount: 1, fills: [{ side: 'buy', price: expect.any(Number) }] },
    ]);
    expect(await read.closedTrades.query({ id })).toEqual({ count: 0, rows: [] });
    const stranger = await world.account();
    await expect(clientOf(stranger.key).console.trading.query({ id })).rejects.toMatchObject({
      data: { error: { code: 'not_found' } },
    });
  });

  test('blueprints come by name without their graphs, newest first, without deleted and foreign ones', async () => {
    const account = await world.account();
    const client = clientOf(account.key);
    await addBlueprint(account, 'First', { nodes: [], edges: [] });
    const gone = await addBlueprint(account, 'Gone', { nodes: [], edges: [] });
    await addBlueprint(account, 'Last', { nodes: [], edges: [] });
    await client.blueprints.delete.mutate({ id: gone });
    const rows = await client.console.blueprints.query({});
    const views = await client.blueprints.list.query({});
    expect(rows.map(({ name }) => name)).toEqual(['Last', 'First']);
    expect(rows).toEqual(
      views.map(({ id, name, status, deploymentId, error, updatedAt }) => ({
        id,
        name,
        status,
        deploymentId,
        error,
        updatedAt,
        tags: [],
        isSample: false,
      })),
    );
    const stranger = await world.account();
    expect(await clientOf(stranger.key).console.blueprints.query({})).toEqual([]);
  });

  test('an order states whether it is open and whether it can be canceled, and otherwise equals REST', async () => {
    const account = await world.account();
    const client = clientOf(account.key);
    const blueprintId = await addBlueprint(account, 'Orders', { nodes: [], edges: [] });
    const { id } = await pendingBuy(world, account, { blueprintId, amount: '0.001' });
    const facts = async () => {
      const { canCancel, nodeLabels: _, ...view } = await client.console.order.query({ id });
      expect(view).toEqual(await client.orders.read.query({ id }));
      const [row] = await client.console.orders.query({});
      return { canCancel, isOpen: row?.isOpen };
    };
    expect(await facts()).toEqual({ canCancel: false, isOpen: true });
    await client.orders.approve.mutate({ id });
    expect(await facts()).toEqual({ canCancel: true, isOpen: true });
    await client.orders.cancel.mutate({ id });
    expect(await facts()).toEqual({ canCancel: false, isOpen: false });
  });

  test('node types also state which of them delay, which trade, and which are annotations', async () => {
    const { key } = await world.account();
    const client = clientOf(key);
    const { types, notes } = await client.console.nodeTypes.query({});
    const named = (fact: 'delays' | 'trades') => types.filter((type) => type[fact]).map(({ type }) => type);
    expect(named('delays')).toEqual(['memory']);
    expect(named('trades')).toEqual(['order', 'quote', 'leg', 'close', 'target', 'exit']);
    expect(notes).toContain('note');
    const plain = types.map(({ delays: _delays, trades: _trades, ...type }) => type);
    expect(plain).toEqual(await client.blueprints.nodeTypes.query({}));
  });

  test('the terms of an approval are visible before it: free cash now, without the order’s own part', async () => {
    const account = await world.account();
    const client = clientOf(account.key);
    const blueprintId = await addBlueprint(account, 'Waits', { nodes: [], edges: [] });
    const first = await pendingBuy(world, account, { blueprintId, amount: '0.001' });
    const alone = await client.console.approval.query({ id: first.id });
    await pendingBuy(world, account, { blueprintId, amount: '0.001' });
    const beside = await client.console.approval.query({ id: first.id });
    const cash = ({ lines }: typeof alone) => lines.find(({ rule }) => rule === 'buyingPower')?.limit ?? 0;
    expect(cash(alone)).toBe(10_000);
    expect(cash(beside)).toBeLessThan(10_000);
    expect(beside.lines.filter(({ verdict }) => verdict !== 'pass')).toMatchObject([
      { rule: 'requireApprovalAbove', verdict: 'wait' },
    ]);
    await client.orders.approve.mutate({ id: first.id });
    const { approvalReceipt } = await client.orders.read.query({ id: first.id });
    expect(approvalReceipt?.lines.map(({ rule, limit }) => [rule, limit])).toEqual(
      beside.lines.map(({ rule, limit }) => [rule, limit]),
    );
    await expect(client.console.approval.query({ id: first.id })).rejects.toMatchObject({
      data: { error: { code: 'intent_not_pending' } },
    });
  });

  test('a sample runs on paper in an account without blueprints, once, for a person and no key', async () => {
    const { cookie } = await world.signUp();
    const client = sessionOf(cookie);
    expect(await client.console.blueprints.query({})).toEqual([]);
    const both = await Promise.allSettled([
      client.console.sample.mutate({}),
      sessionOf(cookie).console.sample.mutate({}),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const [sample, ...others] = await client.console.blueprints.query({});
    expect(others).toEqual([]);
    expect(sample).toMatchObject({ isSample: true, status: 'running' });
    await expect(client.console.sample.mutate({})).rejects.toMatchObject({
      data: { error: { code: 'invalid_state' } },
    });
    await client.blueprints.stop.mutate({ id: sample?.id ?? '' });
    await client.blueprints.update.mutate({ id: sample?.id ?? '', name: 'Mine' });
    expect(await client.console.blueprints.query({})).toMatchObject([{ isSample: false }]);
    const { key } = await world.account();
    await expect(clientOf(key).console.sample.mutate({})).rejects.toMatchObject({
      data: { error: { code: 'session_required' } },
    });
  });

  test('each needs its scope', async () => {
    const { console: read } = clientOf((await world.account('risk:read')).key);
    // The account's snapshot holds the used part of each risk rule.
    const { console: withoutRisk } = clientOf((await world.account('portfolio:read')).key);
    const refused = { data: { error: { code: 'insufficient_scope' } } };
    const { orders, templates, account, blueprints, nodeTypes, deliveries } = read;
    const whole = [orders, templates, account, blueprints, nodeTypes, deliveries];
    const requests = [
      ...whole.map((each) => each.query({})),
      ...[read.approval, read.blueprint, read.order].map((each) => each.query({ id: randomUUID() })),
      withoutRisk.account.query({}),
      read.market.query({ tokenId: TOKEN }),
      read.instruments.query({ find: '' }),
    ];
    await Promise.all(requests.map((each) => expect(each).rejects.toMatchObject(refused)));
  });
});
