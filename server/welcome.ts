import path from 'node:path';
import type { Config } from './config.ts';
import type { Demo } from './demo.ts';

type Welcome = {
  config: Pick<Config, 'publicUrl' | 'marketData'>;
  address: { host: string; port: number };
  dataDir: string;
  demo: Demo | null;
};

const PRICES: Record<Config['marketData'], string> = {
  simulator: 'simulated, from recordings (MARKET_DATA=live for real ones)',
  live: 'live, from the venues',
};

/** What a person who just started the service wants to know: where it is, how to get in, what to try. */
export function welcome({ config, address, dataDir, demo }: Welcome): string {
  const base = config.publicUrl.replace(/:0$/, `:${address.port}`);
  const lines = [
    '',
    `  Trading-Strategy Service   ${base}`,
    `  API docs and playground    ${base}/docs`,
    `  Prices                     ${PRICES[config.marketData]}`,
    ...(demo
      ? [
          `  Sign in                    ${demo.email} / ${demo.password}`,
          `  API key                    in ${path.join(dataDir, 'demo-key')}`,
          '',
          '  Try:',
          `  curl -s -H "Authorization: Bearer ${demo.key}" ${base}/api/blueprints`,
        ]
      : [`  Sign up                    POST ${base}/api/auth/sign-up/email`]),
    '',
    '',
  ];
  return lines.join('\n');
}
