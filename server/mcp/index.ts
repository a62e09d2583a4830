import type { IncomingMessage } from 'node:http';
import { type Request as Asked, type RequestHandler, Router } from 'express';
import { DomainError } from '../../engine/errors.ts';
import { readBody } from '../../openapi/body.ts';
import type { Context } from '../../routers/trpc.ts';

/** Messages of one request. */
const BATCH_MAX = 20;

export type McpOptions = {
  createContext: (request: IncomingMessage) => Promise<Context>;
  onError: (context: Context, error: DomainError) => void;
};

/**
 * The Model Context Protocol under `/mcp`: streamable HTTP without sessions, answers as JSON. Its library is loaded with
 * the first request, so that a service without agents does not hold it.
 */
export function mcpHandler({ createContext, onError }: McpOptions): RequestHandler {
  const answer: RequestHandler = async (request: Asked, response) => {
    const ctx = await createContext(request);
    const { principal } = ctx;
    if (principal?.kind !== 'key') throw ctx.credentialProblem ?? DomainError.of('credentials_missing');
    const { value: message, problem } = await readBody(request);
    if (problem) throw problem;
    if (Array.isArray(message) && message.length > BATCH_MAX) throw tooMany();
    const { answerMessage } = await import('./session.ts');
    const headers = new Headers({
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    });
    const version = request.headers['mcp-protocol-version'];
    if (typeof version === 'string') headers.set('mcp-protocol-version', version);
    const answered = await answerMessage({ ctx: { ...ctx, principal }, message, headers }, (error) =>
      onError(ctx, error),
    );
    response.status(answered.status).setHeaders(answered.headers);
    response.end(await answered.text());
  };
  const refuse: RequestHandler = (_request, response) => {
    response.status(405).setHeader('Allow', 'POST').end();
  };
  return Router({ caseSensitive: true, strict: true }).post('/', answer).all('/', refuse);
}

const tooMany = () =>
  new DomainError('validation_failed', `A request takes at most ${BATCH_MAX} messages. Send several.`);
