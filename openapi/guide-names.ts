/** The documents that callers read, by their name in addresses. */
export const GUIDES: Readonly<Record<string, { title: string; file: string }>> = {
  integrators: { title: 'For integrators', file: 'docs/integrators.md' },
  errors: { title: 'Errors', file: 'docs/errors.md' },
  limits: { title: 'Limits', file: 'docs/limits.md' },
  notifications: { title: 'Notifications and webhooks', file: 'docs/notifications.md' },
  client: { title: 'The client package', file: 'client/README.md' },
  strategies: { title: 'The language of strategies', file: 'docs/strategies.md' },
  'paper-trading': { title: 'Paper trading', file: 'docs/paper-trading.md' },
  'live-trading': { title: 'Live trading', file: 'docs/live-trading.md' },
  backtesting: { title: 'Backtesting', file: 'docs/backtesting.md' },
  statistics: { title: 'Statistics', file: 'docs/statistics.md' },
  notebooks: { title: 'Notebooks', file: 'docs/notebooks.md' },
  changelog: { title: 'Changes', file: 'CHANGELOG.md' },
};
