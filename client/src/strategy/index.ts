export type { Kind, Setting, Signal } from '../signal.ts';
export {
  defineStrategy,
  type EdgeStyle,
  type GraphBuilder,
  type NodeLook,
  type Strategy,
  type StrategyOptions,
} from './define.ts';
export { strategySource } from './write.ts';
