import { z } from 'zod';
import { ERRORS } from '../../engine/error-table.ts';
import { appRouter } from '../../routers/index.ts';
import type { RouteMeta } from '../../routers/trpc.ts';
import { titled } from './names.ts';
import { braces, keyOf, type Side, typeOf } from './zod-type.ts';

type Definition = {
  _def: {
    type: 'query' | 'mutation' | 'subscription';
    meta?: RouteMeta;
    inputs: unknown[];
    output?: unknown;
  };
};
const procedures = Object.entries(appRouter._def.procedures as unknown as Record<string, Definition>);

const HEAD = `// From the code: npm run openapi
import type { Mutation, Query, Subscription } from '../procedure.ts';

/** One thing that is wrong with a request; \`path\` is a JSON Pointer into it. */
export type FieldIssue = { path: string; code: string; message: string };

/** A refusal, as REST and tRPC tell it. */
export type Refusal = { message: string; code: ErrorCode; issues?: readonly FieldIssue[]; requestId: string };

/** What the event stream of a session tells. */
export type LiveEvent = { type: string; at: string; payload: unknown };
`;

/** The types of every procedure, written out: all that a caller's compiler has to know of this service. */
export function routerTypes(): string {
  return [
    HEAD,
    `/** Why a request was refused; docs/errors.md says when, and what to do. */`,
    `export type ErrorCode = ${Object.keys(ERRORS)
      .map((code) => JSON.stringify(code))
      .join(' | ')};`,
    ...procedures.map(declared),
    '',
    '/** Every procedure by its name, as a client calls it. */',
    `export type Procedures = ${tree(procedures.map(([name]) => name.split('.')))};`,
    '',
  ].join('\n');
}

function declared([name, { _def }]: [string, Definition]): string {
  const { meta, inputs, output, type } = _def;
  const told = meta?.openapi
    ? `${meta.openapi.method} ${meta.openapi.path}: ${meta.openapi.summary}.`
    : `\`${name}\`.`;
  const answer =
    type === 'subscription' ? '' : `\nexport type ${titled(name)}Output = ${sideOf(output, 'output')};`;
  return `\n/** ${told} */\nexport type ${titled(name)}Input = ${sideOf(inputs[0], 'input')};${answer}`;
}

function sideOf(schema: unknown, side: Side): string {
  if (schema === undefined && side === 'input') return 'void';
  if (!(schema instanceof z.ZodType))
    throw new Error('Every procedure says by zod schemas what it takes and answers.');
  return typeOf(schema, side);
}

const KINDS = { query: 'Query', mutation: 'Mutation', subscription: 'Subscription' } as const;
const kinds = new Map(procedures.map(([name, { _def }]) => [name, _def.type]));

/** The names as they are nested. */
function tree(paths: readonly string[][], above: readonly string[] = []): string {
  const names = [...new Set(paths.map(([first = '']) => first))];
  return braces(
    names.map((name) => {
      const inside = paths.filter(([first]) => first === name).map((path) => path.slice(1));
      const here = [...above, name];
      return `${keyOf(name)}: ${inside[0]?.length === 0 ? procedure(here.join('.')) : tree(inside, here)}`;
    }),
  );
}

function procedure(name: string): string {
  const kind = kinds.get(name) ?? 'query';
  const types = titled(name);
  return `${KINDS[kind]}<${types}Input, ${kind === 'subscription' ? 'LiveEvent' : `${types}Output`}>`;
}
