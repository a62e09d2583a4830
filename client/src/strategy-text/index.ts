/** The text form of strategies: `.strategy` files, compiled to graphs and written from them. */
export { type FormattedStrategy, formatStrategy, type WrittenStrategy, writeStrategy } from './format.ts';
export type { Graph } from './graph.ts';
export { type ParsedStrategy, parseStrategy, type TextError } from './parse.ts';
