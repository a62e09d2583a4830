import { DomainError } from '../../engine/platform/errors.ts';
import type { RestRoute } from '../../openapi/routes.ts';

/** Sets of tools that an agent may select in the address: `/mcp?toolsets=read,trade`. */
export const TOOLSETS = ['default', 'read', 'research', 'trade', 'all'] as const;
export type Toolset = (typeof TOOLSETS)[number];

/** The tools selected by the address. */
export type SelectedTools = { toolsets: ReadonlySet<Toolset>; isReadonly: boolean };

const isToolset = (name: string): name is Toolset => TOOLSETS.some((each) => each === name);

/** @throws DomainError `validation_failed` for an unknown set. */
export function selectedToolsOf(query: URLSearchParams): SelectedTools {
  const names = (query.get('toolsets') ?? 'default').split(',').slice(0, TOOLSETS.length + 1);
  const unknown = names.find((name) => !isToolset(name));
  if (unknown !== undefined) throw noToolset(unknown);
  return { toolsets: new Set(names.filter(isToolset)), isReadonly: query.get('readonly') === '1' };
}

const noToolset = (name: string) =>
  new DomainError(
    'validation_failed',
    `There is no toolset ${JSON.stringify(name.slice(0, 40))}. Choose of ${TOOLSETS.join(', ')}, with commas between.`,
  );

/** Enough to build, check, test, run and stop a strategy, and to approve its orders. */
const DEFAULT = new Set([
  'blueprints.list',
  'blueprints.create',
  'blueprints.read',
  'blueprints.update',
  'blueprints.validate',
  'blueprints.deploy',
  'blueprints.stop',
  'blueprints.nodeTypes',
  'backtests.start',
  'backtests.read',
  'marketData.crypto',
  'marketData.venueA',
  'orders.list',
  'orders.read',
  'orders.approve',
  'orders.reject',
  'portfolio.summary',
  'portfolio.positions',
  'riskRules.usage',
]);

const RESEARCH = new Set(['Market data', 'Backtests', 'Sweeps']);
const TRADE = new Set(['Blueprints', 'Orders', 'Portfolio', 'Risk rules']);

/** Returns the sets that an operation belongs to. */
export function toolsetsOf(
  { name, meta }: Pick<RestRoute, 'name' | 'meta'>,
  isReading: boolean,
): readonly Toolset[] {
  const [tag = ''] = meta.openapi?.tags ?? [];
  const isResearch =
    RESEARCH.has(tag) || name === 'blueprints.nodeTypes' || name.startsWith('blueprints.validate');
  return [
    'all',
    ...(DEFAULT.has(name) ? (['default'] as const) : []),
    ...(isResearch ? (['research'] as const) : []),
    ...(isReading && !isResearch ? (['read'] as const) : []),
    ...(!isReading && TRADE.has(tag) ? (['trade'] as const) : []),
  ];
}
