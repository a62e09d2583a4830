/** The code of every venue. */
export { binance } from './binance/driver.ts';
export { kalshi } from './kalshi/driver.ts';
export { polymarket } from './polymarket/driver.ts';
