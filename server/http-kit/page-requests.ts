import type { Request, Response } from 'express';

/** The console loads nothing from elsewhere and connects only to this service, whatever script runs in it. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "connect-src 'self'",
  "font-src 'self'",
  "img-src 'self' data:",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "form-action 'none'",
].join('; ');

/** Whether a browser asks for a page; programs that miss a route get the API's 404. */
export function wantsPage(request: Request): boolean {
  if (/^\/(api|trpc|docs|health|assets|openapi\.json)(\/|$)/.test(request.path)) return false;
  return (request.headers.accept ?? '').includes('text/html');
}

export function setPageHeaders(response: Response): void {
  response.setHeader('Content-Security-Policy', POLICY);
  response.setHeader('Cache-Control', 'no-cache');
}
