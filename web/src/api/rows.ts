import type { Outputs } from './trpc.ts';

/** One name for each row the pages and their dialogs share. */
export type Blueprint = Outputs['console']['blueprint'];
export type ApiKey = Outputs['apiKeys']['list'][number];
export type Position = Outputs['portfolio']['positions'][number];
export type RiskRules = Outputs['riskRules']['read'];
export type RuleCatalogue = Outputs['console']['rules'];
export type Rule = RuleCatalogue['rules'][number];
