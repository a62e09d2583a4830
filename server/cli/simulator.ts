/**
 * Runs the simulated venues in their own process, so that several services share one market. Start `npm run simulator -- --port
 * 4100 --seed 1 --speed 1`, then the services with `SIMULATOR_URL=http://127.0.0.1:4100`.
 */
import { once } from 'node:events';
import { startSimulator } from '../../simulator/index.ts';
import { simulatorUrls } from '../../simulator/market-data.ts';
import { readCommandLine } from './command-line.ts';

const USAGE = 'Usage: npm run simulator -- [--port 4100] [--seed 1] [--speed 1]';

const { values } = readCommandLine(USAGE, {
  port: { type: 'string', default: '4100' },
  seed: { type: 'string', default: '1' },
  speed: { type: 'string', default: '1' },
});

const simulator = await startSimulator({
  port: Number(values.port),
  seed: values.seed,
  speed: Number(values.speed),
}).catch(refuse);
const urls = simulatorUrls(simulator.url);

console.log(`Simulated venues at ${simulator.url} (seed ${values.seed}, speed ${values.speed})

  service          SIMULATOR_URL=${simulator.url}
  venue A          ${urls.kalshi}/markets?limit=3
  venue B          ${urls.gamma}/events/keyset?limit=3
  crypto           ${urls.binance}/api/v3/ticker/24hr?symbol=BTCUSDT

Misbehave   curl -d '{"prefix":"/kalshi","fault":{"kind":"status","status":429}}' ${simulator.url}/simulator/faults
Behave      curl -d '{"prefix":"/kalshi","fault":null}' ${simulator.url}/simulator/faults
Time        curl -d '{"advance":60}' ${simulator.url}/simulator/clock    (release: {"release":true})
Asked       curl ${simulator.url}/simulator/stats
Account     curl -d '{"venue":"kalshi","id":"me","environment":"demo","balances":{"USD/0":"1000"}}' ${simulator.url}/simulator/trading/accounts
Ledger      curl ${simulator.url}/simulator/ledger    (what the venues themselves know of accounts, orders and fills)`);

await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
await simulator.close();

/** Names the remedy of a failed start, in one sentence. */
function refuse(error: NodeJS.ErrnoException): never {
  const reasons: Record<string, string> = {
    EADDRINUSE: `port ${values.port} is taken; name another with --port`,
    ERR_SOCKET_BAD_PORT: `--port takes a whole number from 0 to 65535, not ${values.port}`,
  };
  console.error(`The simulator cannot start: ${reasons[error.code ?? ''] ?? error.message}.`);
  process.exit(1);
}
