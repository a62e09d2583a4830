export {
  type Draw,
  defineStrategy,
  type EdgeStyle,
  type NodeLook,
  type Strategy,
  type StrategyOptions,
} from './define.ts';
export type { Kind, Setting, Signal } from './signal.ts';
export { strategySource } from './write.ts';
