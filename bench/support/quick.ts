/** Options for a short run of each bench; null leaves it out. */
export const QUICK: Readonly<Record<string, string[] | null>> = {
  'backtest-lag.ts': ['--seconds', '2', '--deployments', '50'],
  'backtest.ts': ['--rounds', '1', '--trades', '200', '--bars', '2000'],
  'clients.ts': [],
  'engine.ts': ['--seconds', '0.1'],
  'fairness.ts': ['--seconds', '2', '--rounds', '1'],
  'http.ts': ['--rounds', '1', '--requests', '50'],
  'live-orders.ts': ['--orders', '5'],
  'ledger.ts': ['--orders', '200,2000'],
  'market-data.ts': ['--rounds', '1', '--seconds', '1'],
  'notifications.ts': ['--events', '200', '--endpoints', '20', '--seconds', '1'],
  'orders.ts': ['--rounds', '1', '--seconds', '0.5', '--closes', '10', '--share', '0.1'],
  'rest.ts': ['--seconds', '5'],
  'runner.ts': ['--deployments', '700', '--period', '2', '--seconds', '4', '--kill'],
  'scale.ts': ['--deployments', '700,1400', '--minutes', '0.1'],
  'start.ts': null,
  'web.ts': ['--rounds', '1'],
};
