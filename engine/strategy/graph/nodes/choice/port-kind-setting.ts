/** Nodes that pass on numbers or conditions, chosen by their setting `kind`. */
import { z } from 'zod';
import type { PortKind } from '../../types.ts';
import type { PortCondition } from '../node.ts';

const KINDS = ['number', 'boolean'] as const satisfies readonly PortKind[];

export const portKindSetting = () =>
  z
    .enum(KINDS)
    .default('number')
    .meta({ description: 'The kind of its values: numbers, or true and false.' });

/** The ports of both kinds, each present for its setting. */
export function portsByKind<P>(ports: (kind: PortKind, options: { when: PortCondition }) => P[]): P[] {
  return KINDS.flatMap((kind) => ports(kind, { when: { setting: 'kind', in: [kind] } }));
}
