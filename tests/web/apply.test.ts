import { expect, test, vi } from 'vitest';

test.each(['backtest.finished', 'sweep.finished'])(
  '%s reads again which bars are held: the run fetched those its range lacked',
  async (type) => {
    vi.stubGlobal('location', new URL('http://localhost/'));
    const { applyEvent } = await import('../../web/src/live/apply-event.ts');
    const { queryClient, trpc } = await import('../../web/src/api/trpc.ts');
    const coverage = trpc.history.coverage.queryKey({ tokenId: 'BTCUSDT' });
    queryClient.setQueryData(coverage, { tokenId: 'BTCUSDT', ranges: [], series: null } as never);
    expect(queryClient.getQueryState(coverage)?.isInvalidated).toBe(false);
    applyEvent({ type, at: '2026-11-20T12:00:00Z' });
    expect(queryClient.getQueryState(coverage)?.isInvalidated).toBe(true);
  },
);

test('a snapshot of the account replaces an older one as a whole, and never a newer one', async () => {
  vi.stubGlobal('location', new URL('http://localhost/'));
  const { applyEvent } = await import('../../web/src/live/apply-event.ts');
  const { queryClient, trpc } = await import('../../web/src/api/trpc.ts');
  const key = trpc.console.account.queryKey({});
  const snapshot = (asOf: string, equity: number) => ({ asOf, equity, positions: [] });
  const hear = (asOf: string, equity: number) =>
    applyEvent({ type: 'account', at: asOf, payload: snapshot(asOf, equity) });
  queryClient.setQueryData(key, { mode: 'paper', ...snapshot('2026-11-20T12:00:05.000Z', 5) } as never);
  hear('2026-11-20T12:00:06.000Z', 6);
  hear('2026-11-20T12:00:04.000Z', 4);
  expect(queryClient.getQueryData(key)).toMatchObject({
    mode: 'paper',
    asOf: '2026-11-20T12:00:06.000Z',
    equity: 6,
  });
});

test('a read of the account that is answered after a newer event does not replace it', async () => {
  const { queryClient, trpc } = await import('../../web/src/api/trpc.ts');
  const queryKey = trpc.console.account.queryKey({});
  const at = (asOf: string, equity: number) => ({ mode: 'paper', asOf, equity }) as never;
  queryClient.setQueryData(queryKey, at('2026-11-28T10:00:00.000Z', 1));
  const read = Promise.withResolvers<never>();
  const reading = queryClient.fetchQuery({ queryKey, queryFn: () => read.promise, staleTime: 0 });
  queryClient.setQueryData(queryKey, at('2026-11-28T10:00:02.000Z', 3));
  read.resolve(at('2026-11-28T10:00:01.000Z', 2));
  await reading;
  expect(queryClient.getQueryData(queryKey)).toMatchObject({ equity: 3 });
  queryClient.setQueryData(queryKey, at('2026-11-28T10:00:03.000Z', 4));
  expect(queryClient.getQueryData(queryKey)).toMatchObject({ equity: 4 });
  // The clock of the database went back.
  queryClient.setQueryData(queryKey, at('2026-11-28T09:55:00.000Z', 5));
  expect(queryClient.getQueryData(queryKey)).toMatchObject({ equity: 5 });
});
