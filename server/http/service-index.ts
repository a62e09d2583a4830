import type { RequestHandler } from 'express';
import { wantsPage } from '../http-kit/page-requests.ts';

const LINKS = {
  name: 'Trading-Strategy Service',
  console: '/ (in a browser)',
  docs: '/docs',
  guides: '/docs/guides/integrators',
  openapi: '/openapi.json',
  asyncapi: '/asyncapi.json',
  health: '/health',
  ready: '/health/ready',
  trpc: '/trpc',
  mcp: '/mcp',
  firstCall: "curl -H 'Authorization: Bearer <API key>' <this address>/api/portfolio",
} as const;
const TEXT = `${JSON.stringify(LINKS, null, 2)}\n`;

/** Answers `/` for programs with the addresses to use: a browser gets the console under the same path. */
export const serviceIndexHandler: RequestHandler = (request, response, next) => {
  response.vary('Accept');
  if (wantsPage(request)) return next();
  response.type('json').send(TEXT);
};
