import type { Outputs } from './trpc.ts';

/** One name for each row type that pages and their dialogs share. */
export type Blueprint = Outputs['console']['blueprint'];
export type ApiKey = Outputs['agentKeys']['list'][number];
export type Position = Outputs['portfolio']['positions'][number];
export type RiskRules = Outputs['riskRules']['read'];
export type RuleCatalogue = Outputs['console']['rules'];
export type Rule = RuleCatalogue['rules'][number];
export type OptionalRules = Outputs['riskRules']['readOptional'];
export type OptionalRule = RuleCatalogue['optional'][number];
export type Backtest = Outputs['backtests']['read'];
export type BacktestOutline = Outputs['backtests']['list'][number];
export type BacktestTrade = Outputs['backtests']['trades'][number];
export type BacktestComparison = Outputs['backtests']['compare'];
export type Sweep = Outputs['sweeps']['read'];
export type SweepOutline = Outputs['sweeps']['list'][number];
export type SweepTrial = Outputs['sweeps']['trials'][number];
