import { createRequire } from 'node:module';
import path from 'node:path';
import express, { type RequestHandler, Router } from 'express';

/**
 * Everything the playground loads comes from here, and its requests go straight to this API: the policy is the lock,
 * whatever a later version of the page would like to fetch.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "connect-src 'self'",
  "font-src 'self'",
  "img-src 'self' data: blob:",
  "worker-src 'self' blob:",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "form-action 'none'",
].join('; ');

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference · Trading-Strategy Service</title>
</head>
<body>
<div id="app"></div>
<script type="module" src="/docs/init.js"></script>
</body>
</html>
`;

const INIT = `import { createApiReference } from '/docs/assets/standalone.esm.js';

createApiReference('#app', {
  url: '/openapi.json',
  telemetry: false,
  withDefaultFonts: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  persistAuth: false,
  documentDownloadType: 'direct',
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  authentication: { preferredSecurityScheme: 'Authorization' },
  theme: 'default',
  customCss:
    '.sidebar-search-placeholder,.client-libraries-text,.sidebar-heading,.text-c-3{color:var(--scalar-color-1)!important}',
});

// The page's copy buttons have no name for a screen reader.
new MutationObserver(() => {
  for (const button of document.querySelectorAll('button[class*=copy-button]:not([aria-label])')) {
    button.setAttribute('aria-label', 'Copy');
  }
}).observe(document.body, { childList: true, subtree: true });
`;

/** The package's browser build lies beside its entry point; its `package.json` is not exported. */
const assets = path.join(
  path.dirname(createRequire(import.meta.url).resolve('@scalar/api-reference')),
  'browser',
);

/** The playground under `/docs`: self-hosted, offline, the token going to this API and nowhere else. */
export function docsPage(): RequestHandler {
  const docs = Router({ caseSensitive: true, strict: true });
  docs.use((_request, response, next) => {
    response.setHeader('Content-Security-Policy', POLICY);
    next();
  });
  docs.get('/', (_request, response) => response.type('html').send(PAGE));
  docs.get('/init.js', (_request, response) => response.type('js').send(INIT));
  docs.use(
    '/assets',
    refuseSourceMaps,
    mayBeKept,
    express.static(assets, { index: false, redirect: false, immutable: true, maxAge: '1d' }),
  );
  return docs;
}

/** Everything else the service answers is not to be stored; these files change with the package's version only. */
const mayBeKept: RequestHandler = (_request, response, next) => {
  response.removeHeader('Cache-Control');
  next();
};

const refuseSourceMaps: RequestHandler = (request, _response, next) =>
  next(request.path.endsWith('.map') ? 'router' : undefined);
