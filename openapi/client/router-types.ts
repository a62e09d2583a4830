import { z } from 'zod';
import { ERRORS } from '../../engine/platform/error-table.ts';
import { PAYLOADS } from '../../engine/platform/event-payloads.ts';
import { KIND_NAMES, KINDS } from '../../routers/events/event-kinds.ts';
import { VALUE_PAYLOADS, VALUE_TYPES, VALUES } from '../../routers/events/value-payloads.ts';
import { appRouter } from '../../routers/index.ts';
import type { RouteMeta } from '../../routers/trpc.ts';
import { titled } from './names.ts';
import { braces, docLine, keyOf, type NamedTypes, type Side, typeOf } from './zod-type.ts';

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
import type { Mutation, PagedQuery, Query, Subscription } from '../procedure.ts';

/** One thing that is wrong with a request; \`path\` is a JSON Pointer into it. */
export type FieldIssue = { path: string; code: string; message: string };

/** A refusal, as REST and tRPC tell it. */
export type Refusal = { message: string; code: ErrorCode; issues?: readonly FieldIssue[]; requestId: string };

/** What the event stream of a session tells. */
export type LiveEvent = { type: string; at: string; payload: unknown };
`;

/** Payloads of events by kind, and the events that `follow` yields. */
function eventTypes(): string {
  const lines = KIND_NAMES.map(
    (kind) =>
      `  /** ${KINDS[kind].tells}; scope \`${KINDS[kind].scope}\`. */\n  ${JSON.stringify(kind)}: ${typeOf(PAYLOADS[kind], 'output', new Map())};`,
  );
  return `/** What each kind of event tells. */
export type EventPayloads = {\n${lines.join('\n')}\n};

/** One event; \`resync\` where some are not kept any more, so that everything is to be read again. */
export type AccountEvent =
  | { [Kind in keyof EventPayloads]: { id: string; type: Kind; at: string; payload: EventPayloads[Kind] } }[keyof EventPayloads]
  | { id: string; type: "resync"; at: string; payload: Record<string, never> };
`;
}

/** Payloads of values by type, and the messages that `followValues` yields. */
function valueTypes(): string {
  const lines = VALUE_TYPES.map(
    (type) =>
      `  /** ${VALUES[type].tells}. */\n  ${JSON.stringify(type)}: ${typeOf(VALUE_PAYLOADS[type], 'output', new Map())};`,
  );
  return `/** What each type of value tells. */
export type ValuePayloads = {\n${lines.join('\n')}\n};

/** One message of the stream of values. */
export type StreamedValue = {
  [Type in keyof ValuePayloads]: { type: Type; at: string; payload: ValuePayloads[Type] };
}[keyof ValuePayloads];
`;
}

/** The types of every procedure, written out: all that a caller's compiler has to know of this service. */
export function routerTypes(): string {
  const named: NamedTypes = new Map();
  const declarations = procedures.map((procedure) => declared(procedure, named));
  return [
    HEAD,
    eventTypes(),
    valueTypes(),
    `/** Why a request was refused; docs/errors.md says when, and what to do. */`,
    `export type ErrorCode = ${Object.keys(ERRORS)
      .map((code) => JSON.stringify(code))
      .join(' | ')};`,
    '',
    '/** What answers are made of. */',
    ...[...named].map(([name, type]) => `export type ${name} = ${type};`),
    ...declarations,
    '',
    '/** Every procedure by its name, as a client calls it. */',
    `export type Procedures = ${tree(procedures.map(([name]) => name.split('.')))};`,
    '',
  ].join('\n');
}

function declared([name, { _def }]: [string, Definition], named: NamedTypes): string {
  const { inputs, output, type } = _def;
  const answer =
    type === 'subscription'
      ? ''
      : `\nexport type ${titled(name)}Output = ${sideOf(output, 'output', named)};`;
  return `${docLine(summaryOf(name, _def))}\nexport type ${titled(name)}Input = ${sideOf(inputs[0], 'input', named)};${answer}`;
}

function sideOf(schema: unknown, side: Side, named: NamedTypes): string {
  if (schema === undefined && side === 'input') return 'void';
  if (!(schema instanceof z.ZodType))
    throw new Error('Every procedure says by zod schemas what it takes and answers.');
  return typeOf(schema, side, named);
}

const summaryOf = (name: string, { meta }: Definition['_def']): string =>
  meta?.openapi ? `${meta.openapi.method} ${meta.openapi.path}: ${meta.openapi.summary}.` : `\`${name}\`.`;

const CALLS = { query: 'Query', mutation: 'Mutation', subscription: 'Subscription' } as const;
const kinds = new Map(procedures.map(([name, { _def }]) => [name, _def]));

/** The names as they are nested. */
function tree(paths: readonly string[][], above: readonly string[] = []): string {
  const names = [...new Set(paths.map(([first = '']) => first))];
  return braces(
    names.map((name) => {
      const inside = paths.filter(([first]) => first === name).map((path) => path.slice(1));
      const here = [...above, name];
      return inside[0]?.length === 0 ? procedure(here) : `${keyOf(name)}: ${tree(inside, here)}`;
    }),
  );
}

function procedure(path: readonly string[]): string {
  const name = path.join('.');
  const definition = kinds.get(name);
  if (definition === undefined) throw new Error(`There is no procedure ${name}.`);
  const { type: kind, meta } = definition;
  const types = titled(name);
  const call = meta?.promises?.pages ? 'PagedQuery' : CALLS[kind];
  const output = kind === 'subscription' ? 'LiveEvent' : `${types}Output`;
  return `${docLine(summaryOf(name, definition))}${keyOf(path.at(-1) ?? '')}: ${call}<${types}Input, ${output}>`;
}
