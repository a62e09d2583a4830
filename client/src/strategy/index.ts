export type { Kind, Setting, Signal } from '../signal.ts';
export {
  type Draw,
  defineStrategy,
  type EdgeStyle,
  type NodeLook,
  type Strategy,
  type StrategyOptions,
} from './define.ts';
export { strategySource } from './write.ts';
