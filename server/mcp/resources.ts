import { readFile } from 'node:fs/promises';
import type { Resource, TextResourceContents } from '@modelcontextprotocol/sdk/types.js';
import { notFound } from '../../engine/platform/errors.ts';
import type { Context } from '../../routers/context.ts';
import { appRouter } from '../../routers/index.ts';
import type { Principal } from '../../routers/principal.ts';
import type { Scope } from '../../routers/scopes.ts';
import { createCallerFactory } from '../../routers/trpc.ts';

type Described = Pick<Resource, 'uri' | 'name' | 'title' | 'description' | 'mimeType'> & {
  /** The scope that a key needs to read it; documents need none. */
  scope?: Scope;
  read: (ctx: Context) => Promise<string>;
};

const callerOf = createCallerFactory(appRouter);

const document = (name: string, title: string, description: string): Described => ({
  uri: `trading-strategy://docs/${name}`,
  name,
  title,
  description,
  mimeType: 'text/markdown',
  read: () => readFile(new URL(`../../docs/${name}.md`, import.meta.url), 'utf8'),
});

const RESOURCES: readonly Described[] = [
  {
    uri: 'trading-strategy://node-types',
    name: 'node-types',
    title: 'Node catalogue',
    description: 'Every kind of node a strategy may hold: ports, and its settings as JSON Schema.',
    mimeType: 'application/json',
    scope: 'blueprints:read',
    read: async (ctx) => JSON.stringify(await callerOf(ctx).blueprints.nodeTypes({})),
  },
  {
    uri: 'trading-strategy://risk-rules',
    name: 'risk-rules',
    title: 'Risk rules of the account',
    description: 'The limits every order is checked against, and how much of them is used.',
    mimeType: 'application/json',
    scope: 'risk:read',
    read: async (ctx) => {
      const { riskRules } = callerOf(ctx);
      return JSON.stringify({ rules: await riskRules.read({}), usage: await riskRules.usage({}) });
    },
  },
  document('strategies', 'The language of strategies', 'How a blueprint is drawn, and what each node does.'),
  document('paper-trading', 'Paper trading', 'How paper orders are filled, and what the figures mean.'),
  document('live-trading', 'Live trading', 'How to trade with real money.'),
  document('backtesting', 'Backtesting', 'The assumptions of a backtest, and how far to trust it.'),
  document('statistics', 'Statistics', 'How every figure is defined.'),
  document('errors', 'Errors', 'Every code a request may be refused with, and what to do.'),
  document('limits', 'Limits', 'The most requests at once and over time.'),
];

export const resourcesFor = ({ scopes }: Principal): Resource[] =>
  RESOURCES.filter(({ scope }) => scope === undefined || scopes.has(scope)).map(
    ({ read: _read, scope: _scope, ...resource }) => resource,
  );

/** @throws DomainError `not_found`, and the refusals of the same read as a request. */
export async function readResource(ctx: Context, uri: string): Promise<TextResourceContents> {
  const found = RESOURCES.find((each) => each.uri === uri);
  if (!found) throw notFound();
  return { uri, mimeType: found.mimeType ?? 'text/plain', text: await found.read(ctx) };
}
