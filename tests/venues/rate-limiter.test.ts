import { describe, expect, test } from 'vitest';
import { RateLimiter } from '../../venues/http/rate-limiter.ts';

const never = new AbortController().signal;

describe('turns of requests', () => {
  test('let a burst through at once, and then at most the rate', async () => {
    const turns = new RateLimiter({ tokensPerSec: 100, burst: 10 });
    const startedAtMs = performance.now();
    for (let count = 0; count < 3; count += 1) await turns.take(10, 'place', never);
    expect(performance.now() - startedAtMs).toBeGreaterThan(180);
  });

  test('let cancels go before reads, and both before new orders, in any order of arrival', async () => {
    const turns = new RateLimiter({ tokensPerSec: 200, burst: 10 });
    await turns.take(10, 'ask', never);
    const gone: string[] = [];
    const go = async (urgency: 'place' | 'ask' | 'cancel') => {
      await turns.take(5, urgency, never);
      gone.push(urgency);
    };
    await Promise.all([go('place'), go('ask'), go('cancel'), go('cancel')]);
    expect(gone).toEqual(['cancel', 'cancel', 'ask', 'place']);
  });

  test('that do not come in time are given back: nothing waits behind them', async () => {
    const turns = new RateLimiter({ tokensPerSec: 20, burst: 10 });
    await turns.take(10, 'ask', never);
    const impatient = turns.take(10, 'ask', AbortSignal.timeout(20));
    await expect(impatient).rejects.toThrow('timeout');
    await turns.take(1, 'ask', never);
    await expect(turns.take(1, 'ask', AbortSignal.abort(new Error('over')))).rejects.toThrow('over');
  });

  test('aborted at their turn remove no other request from the queue', async () => {
    const turns = new RateLimiter({ tokensPerSec: 20, burst: 10 });
    await turns.take(10, 'ask', never);
    const waiting = turns.take(1, 'place', never);
    const giving = new AbortController();
    const free = turns.take(0, 'cancel', giving.signal);
    giving.abort();
    await expect(Promise.all([free, waiting])).resolves.toEqual([undefined, undefined]);
  });

  test('rest while the venue asks for it', async () => {
    const turns = new RateLimiter({ tokensPerSec: 1_000, burst: 100 });
    turns.pauseFor(150);
    const startedAtMs = performance.now();
    await turns.take(1, 'cancel', never);
    expect(performance.now() - startedAtMs).toBeGreaterThan(140);
  });

  test('of what costs more than a burst come with a full one', async () => {
    const turns = new RateLimiter({ tokensPerSec: 100, burst: 5 });
    await turns.take(50, 'ask', never);
    await expect(turns.take(1, 'ask', AbortSignal.timeout(20))).rejects.toThrow('timeout');
  });
});
