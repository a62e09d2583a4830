type Position = {
  amount: number;
  averageCost: number;
  markPrice: number;
  unrealizedPnl: number;
  realizedPnl: number;
};
type Account = Record<'equity' | 'totalPnl' | 'cash' | 'worth' | 'realizedPnl' | 'unrealizedPnl', number> & {
  positions: Position[];
};

/** Below every minimum order: 2.89 USD. */
const DUST = {
  tokenId: 'ETHUSDT',
  title: 'ETH/USDT',
  amount: 0.001,
  averageCost: 2_900,
  markPrice: 2_890,
  unrealizedPnl: -0.01,
  isDust: true,
};

/**
 * The account as reported, with dust of another instrument instead of its first position: only live trades leave any. Equity and
 * result stay, and all totals are those of the rows.
 */
export const withDust = (answer: string): string =>
  JSON.stringify(JSON.parse(answer, (_, value) => (Array.isArray(value?.positions) ? dusty(value) : value)));

function dusty(account: Account): Account {
  const [first, ...others] = account.positions;
  if (first === undefined) return account;
  const result = first.realizedPnl + first.unrealizedPnl;
  const positions = [{ ...first, ...DUST, realizedPnl: result - DUST.unrealizedPnl }, ...others];
  const sum = (of: (row: Position) => number) => positions.reduce((all, row) => all + of(row), 0);
  const worth = sum(({ amount, markPrice }) => amount * markPrice);
  const unrealizedPnl = sum((row) => row.unrealizedPnl);
  return {
    ...account,
    positions,
    worth,
    cash: account.equity - worth,
    unrealizedPnl,
    realizedPnl: account.totalPnl - unrealizedPnl,
  };
}
