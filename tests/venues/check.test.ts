import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { type Simulator, startSimulator } from '../../simulator/index.ts';
import { simulatorUrls } from '../../simulator/market-data.ts';
import { API_NAMES, APIS } from '../../venues/catalogue.ts';

const PROGRAM = fileURLToPath(new URL('../../server/cli/venues-check.ts', import.meta.url));
const CHECKS = 27;

/** Output and exit code of the check if the settings place the venues at `origin`. */
function check(origin: string): Promise<{ printed: string; code: number; results: string[] }> {
  const urls = simulatorUrls(origin);
  const settings = API_NAMES.map((api) => [APIS[api].setting, urls[api]]);
  const env = { ...process.env, NODE_ENV: 'production', ...Object.fromEntries(settings) };
  return new Promise((resolve) => {
    execFile(process.execPath, [PROGRAM], { env, timeout: 60_000 }, (error, printed) => {
      const results = [...printed.matchAll(/'(ok|shape mismatch|unreachable|empty|refused)'/g)];
      resolve({ printed, code: Number(error?.code ?? 0), results: results.map(([, result = '']) => result) });
    });
  });
}

/** A simulator that has been closed: no process listens at its URL. */
async function closedSimulator(): Promise<Simulator> {
  const simulator = await startSimulator();
  await simulator.close();
  return simulator;
}

async function checkWith(prepare: (simulator: Simulator) => void) {
  await using simulator = await startSimulator();
  prepare(simulator);
  return await check(simulator.url);
}

// One after the other: a slow machine that serves four venues at once is slower than a venue may be.
describe('npm run venues:check', () => {
  test('calls every mode at the configured URLs, and reports success', {
    tags: ['long'],
  }, async () => {
    const { printed, code, results } = await checkWith(() => undefined);
    expect(results, printed).toEqual(Array(CHECKS).fill('ok'));
    expect(printed).toContain('The connectors fit the venues.');
    expect(code).toBe(0);
  });

  test('reports for each mode that its venue is unreachable, and why', { tags: ['long'] }, async () => {
    const { url } = await closedSimulator();
    const { printed, code, results } = await check(url);
    expect(results, printed).toEqual(Array(CHECKS).fill('unreachable'));
    expect(printed).toContain('ECONNREFUSED');
    expect(printed).toContain(`${url}/kalshi/trade-api/v2`);
    expect(code).toBe(1);
  });

  test('names the field of a changed answer, for that venue alone', { tags: ['long'] }, async () => {
    const { printed, code, results } = await checkWith(({ faults }) =>
      faults.set('/binance', { kind: 'body', body: { code: 0 } }),
    );
    expect(printed).toContain('expected string, received undefined');
    expect(results.filter((result) => result === 'shape mismatch')).toHaveLength(8);
    expect(results.filter((result) => result === 'ok')).toHaveLength(CHECKS - 8);
    expect(code).toBe(1);
  });

  test('detects that the undocumented search is gone, although search works without it', {
    tags: ['long'],
  }, async () => {
    const { printed, results } = await checkWith(({ faults }) =>
      faults.set('/kalshi/v1', { kind: 'body', body: { current_page: 'x' } }),
    );
    // Until the index that replaces the search is built.
    expect(results[0], printed).toBe('shape mismatch');
  });
});
