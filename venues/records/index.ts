/** The facts of every venue. */
export { binance } from './binance.ts';
export { kalshi } from './kalshi.ts';
export { polymarket } from './polymarket.ts';
