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
