import type { FillPartRow, OrderPartRow } from '../../engine/research/playback/result.ts';
import type { Bars } from '../support/bars.ts';

/** Half a spread in USD, slippage in USD, and the rate of fees. */
export type Frictions = { readonly half: number; readonly slip: number; readonly rate: number };

/**
 * Costs of market orders, decided at the close of one bar and filled at the open of the next. A loop over orders: it reads the
 * bars, and no price that the service recorded.
 */
export function costsFromBars(
  { columns, count }: Bars,
  orders: readonly OrderPartRow[],
  fills: readonly FillPartRow[],
  { half, slip, rate }: Frictions,
) {
  const costs = { notional: 0, fee: 0, spread: 0, slippage: 0, delay: 0 };
  for (const order of orders) {
    let bar = 0;
    while (bar < count && columns.openTimeMs[bar] !== Date.parse(order.at)) bar++;
    const [closed, opened] = [columns.close[bar - 1] as number, columns.open[bar] as number];
    const sign = order.side === 'buy' ? 1 : -1;
    for (const fill of fills) {
      if (fill.orderId !== order.id) continue;
      const amount = Number(fill.amount);
      costs.notional += amount * (opened + sign * (half + slip));
      costs.fee += amount * (opened + sign * (half + slip)) * rate;
      costs.spread += amount * half;
      costs.slippage += amount * slip;
      costs.delay += sign * amount * (opened - closed);
    }
  }
  return costs;
}
