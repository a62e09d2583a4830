import path from 'node:path';
import type { DemoConnection } from '../../venues/demo-accounts.ts';
import type { Demo } from '../demo/demo.ts';
import type { Config } from '../kernel/config.ts';

type Welcome = {
  config: Pick<Config, 'publicUrl' | 'marketData'>;
  address: { host: string; port: number };
  dataDir: string;
  demo: Demo | null;
  demoConnections: readonly DemoConnection[];
  /** Whether the output goes to a terminal, where it is not stored. */
  isTerminal: boolean;
};

const PRICES: Record<Config['marketData'], string> = {
  simulator: 'simulated, from recordings (MARKET_DATA=live for real ones)',
  live: 'live, from the venues',
};

/**
 * Prints the start message: the address, how to sign in, what to try. Into a file it prints the path of the demo account's
 * secrets, not the secrets.
 */
export function startMessage({
  config,
  address,
  dataDir,
  demo,
  demoConnections,
  isTerminal,
}: Welcome): string {
  const base = config.publicUrl.replace(/:0$/, `:${address.port}`);
  const file = (name: string) => path.join(dataDir, name);
  const password = isTerminal ? demo?.password : `in ${file('demo-password')}`;
  const key = isTerminal ? demo?.key : `$(cat ${file('demo-key')})`;
  const lines = [
    '',
    `  Trading-Strategy Service   ${base}`,
    `  API docs and playground    ${base}/docs`,
    `  Prices                     ${PRICES[config.marketData]}`,
    ...(demoConnections.length > 0
      ? [`  Live trading               at simulated venues; their keys in ${file('demo-connection-*')}`]
      : []),
    ...(demo
      ? [
          `  Sign in                    ${demo.email} / ${password}`,
          `  API key                    in ${file('demo-key')}`,
          '',
          '  Try:',
          `  curl -s -H "Authorization: Bearer ${key}" ${base}/api/blueprints`,
        ]
      : [`  Sign up                    POST ${base}/api/auth/sign-up/email`]),
    '',
    '',
  ];
  return lines.join('\n');
}
