import type { OpenApiMethod } from 'trpc-to-openapi';
import type { RouteMeta } from './trpc.ts';

/** Groups of the document, in the order a reader meets them. */
export const TAGS = {
  System: 'Liveness and readiness.',
  'Market data': 'Read-only search and look-up on two prediction markets and crypto.',
  Blueprints: 'Automated strategies: draw, check, deploy and stop them.',
  Orders: 'Orders and order intents: monitor, approve, decline, cancel.',
  Portfolio: 'Positions, profit and loss, closing.',
  'Risk rules': 'Account-level limits checked before every order.',
  'API keys': 'Scoped keys for integrations.',
  Audit: 'Who changed what.',
  Careers: 'The careers form.',
} as const;

export type Route = {
  method: OpenApiMethod;
  path: `/${string}`;
  tag: keyof typeof TAGS;
  summary: string;
  description: string;
  /** Statuses besides those every operation of its kind has: 404 for what is looked up by the caller's word. */
  alsoAnswers?: readonly (404 | 503)[];
  example: NonNullable<RouteMeta['example']>;
};

const ALWAYS = [400, 429, 500, 503] as const;

/** REST's side of a procedure: where it is, what it says about itself, and which statuses it can give. */
export function route({ method, path, tag, summary, description, alsoAnswers = [], example }: Route) {
  const statuses = new Set<number>([...ALWAYS, ...alsoAnswers]);
  if (path.includes('{')) statuses.add(404);
  return {
    openapi: {
      method,
      path,
      tags: [tag],
      summary,
      description,
      errorResponses: [...statuses].sort((a, b) => a - b),
    },
    example,
  } satisfies RouteMeta;
}
