import { fileURLToPath } from 'node:url';
import express, { type Request, type RequestHandler, Router } from 'express';
import { GUIDES } from './guide-names.ts';
import { type Described, referenceHtml } from './reference.ts';
import { serveConstantText } from './serve-constant-text.ts';

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

const STYLE = `:root{color-scheme:light dark;--text:#182030;--dim:#556074;--page:#f3f5f8;--panel:#fff;--line:#dde2ea;--link:#1559b7}
@media(prefers-color-scheme:dark){:root{--text:#e6e9ef;--dim:#b4bccb;--page:#0b1018;--panel:#111722;--line:#212938;--link:#8ab8ff}}
.reference{margin:0;min-height:100vh;background:var(--page);color:var(--text);font:14.5px/1.55 system-ui,sans-serif}
.reference nav{position:sticky;top:0;display:flex;flex-wrap:wrap;gap:4px 16px;padding:10px max(16px,calc(50% - 30rem));background:var(--panel);border-bottom:1px solid var(--line)}
.reference a{color:var(--link);line-height:24px}.reference .play{margin-left:auto;font-weight:600}
.reference main{max-width:60rem;margin:auto;padding:16px}.reference section{scroll-margin-top:64px}
.reference h1{font-size:22px}.reference h2{font-size:17px;margin:28px 0 0}.reference h3{font-size:13px;margin:12px 0 4px}.reference p{margin:6px 0}
.reference details{border:1px solid var(--line);border-radius:8px;background:var(--panel);margin:6px 0;padding:0 12px}
.reference input{box-sizing:border-box;width:100%;padding:8px 12px;border:1px solid var(--line);border-radius:8px;background:var(--panel);color:inherit;font:inherit}
.reference section:not(:has(>details:not([hidden]))){display:none}
.reference details[open]{padding-bottom:10px}.reference summary{padding:8px 0;cursor:pointer;overflow-wrap:anywhere}
.reference summary span{color:var(--dim)}.reference summary b{display:inline-block;min-width:52px;font:600 12px ui-monospace,monospace}
.reference code,.reference pre{font-family:ui-monospace,monospace;font-size:12.5px}.reference pre{overflow:auto;max-height:22rem;margin:0;padding:10px;background:var(--page);border-radius:6px}
.reference table{border-collapse:collapse;display:block;overflow-x:auto}.reference th,.reference td{text-align:left;vertical-align:top;padding:3px 14px 3px 0;font-weight:400}.reference ul{padding-left:18px;margin:10px 0 0}
.reference .sample{margin:4px 0;padding:0 10px}.reference .sample summary{padding:4px 0;line-height:24px}.guide h2{margin-top:32px}.guide pre{max-height:none}.guide main{overflow-wrap:anywhere}
.reference[aria-busy=true] .play::after{content:" …"}`;

const pageOf = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Trading-Strategy Service</title>
<link rel="icon" href="data:,">
<style>body{margin:0}${STYLE}</style>
</head>
<body>
${body}
</body>
</html>
`;

const referencePage = (described: Described): string =>
  pageOf(
    'API reference',
    `<div id="app" class="reference">${referenceHtml(described)}</div>
<script type="module" src="/docs/init.js"></script>`,
  );

const guidePage = ({ title, html }: { title: string; html: string }): string =>
  pageOf(
    title,
    `<div class="reference guide"><nav aria-label="Guides">
${Object.entries(GUIDES)
  .map(([name, guide]) => `<a href="/docs/guides/${name}">${guide.title}</a>`)
  .join('\n')}
<a class="play" href="/docs">API reference</a>
<a href="/">Console</a>
</nav>
<main>
${html}</main></div>`,
  );

/** Made when it is first asked for, then kept: there are a dozen. */
function guides(): RequestHandler<{ name: string }> {
  const pages = new Map<string, RequestHandler>();
  return async (request, response, next) => {
    const { name } = request.params;
    let page = pages.get(name);
    if (!page) {
      page = await pageNamed(name);
      if (!page) return next('router');
      pages.set(name, page);
    }
    page(request as unknown as Request, response, next);
  };
}

/** A guide as a page, or as the Markdown it is written in where its name ends so. */
async function pageNamed(name: string): Promise<RequestHandler | undefined> {
  const { guideHtml, guideMarkdown } = await import('./guides.ts');
  if (name.endsWith('.md')) {
    const markdown = await guideMarkdown(name.slice(0, -'.md'.length));
    return markdown === null ? undefined : serveConstantText('text/markdown; charset=utf-8', () => markdown);
  }
  const guide = await guideHtml(name);
  return guide === null ? undefined : serveConstantText('html', () => guidePage(guide));
}

/** The reference is read at once; the playground, 0.7 MB of it, comes when an address of its own is asked for. */
const INIT = `const app = document.querySelector('#app');

async function play() {
  if (!/^#(tag|description|model)/.test(location.hash)) return;
  removeEventListener('hashchange', play);
  app.setAttribute('aria-busy', 'true');
  const { createApiReference } = await import('/docs/assets/standalone.esm.js');
  app.replaceChildren();
  app.removeAttribute('class');
  app.removeAttribute('aria-busy');
  nameParts();
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
      '.sidebar-search-placeholder,.client-libraries-text,.sidebar-heading,.text-c-3{color:var(--scalar-color-1)!important}' +
      '.light-mode{--scalar-color-2:#2f3746;--scalar-color-3:#4a5364;--scalar-color-green:#05603e;--scalar-color-blue:#0b4fa8;--scalar-color-orange:#844600;--scalar-color-red:#a31212;--scalar-color-purple:#5b21a6}' +
      '.dark-mode{--scalar-color-red:#ff8f8f}',
  });
}

/** For a screen reader: the playground's copy buttons have no name, and its answers of equal statuses are landmarks of one name. */
function nameParts() {
  new MutationObserver(() => {
    for (const button of document.querySelectorAll('button[class*=copy-button]:not([aria-label])')) {
      button.setAttribute('aria-label', 'Copy');
    }
    for (const answers of document.querySelectorAll('div[role=region][aria-labelledby]')) {
      const label = document.getElementById(answers.getAttribute('aria-labelledby'));
      if (label?.textContent.startsWith('Status')) answers.setAttribute('role', 'group');
    }
  }).observe(document.body, { childList: true, subtree: true });
}

/** An operation has an address: #orders-approve opens it. */
function openOperation() {
  const operation = document.getElementById(location.hash.slice(1));
  if (operation?.tagName === 'DETAILS') operation.open = true;
}

/** Shows the operations that hold every word, by any of their texts. */
function search({ target }) {
  const words = target.value.toLowerCase().split(' ');
  for (const operation of app.querySelectorAll('section > details')) {
    const text = operation.textContent.toLowerCase();
    operation.hidden = !words.every((word) => text.includes(word));
  }
}

app.querySelector('input').addEventListener('input', search);
addEventListener('hashchange', openOperation);
openOperation();
addEventListener('hashchange', play);
void play();
`;

/** The playground's files. The built console has a copy, which is served before this; a release has that one alone. */
const ASSETS = fileURLToPath(new URL('../web/public/docs/assets', import.meta.url));

/**
 * The reference and the playground under `/docs`: self-hosted, offline, the token going to this API and nowhere else.
 *
 * @param document The OpenAPI description, as JSON text.
 */
export function docsPage(document: string): RequestHandler {
  const docs = Router({ caseSensitive: true, strict: true });
  docs.use((_request, response, next) => {
    response.setHeader('Content-Security-Policy', POLICY);
    next();
  });
  docs.get(
    '/',
    serveConstantText('html', () => referencePage(JSON.parse(document) as Described)),
  );
  docs.get('/guides/:name', guides());
  docs.get(
    '/init.js',
    serveConstantText('js', () => INIT),
  );
  const files = express.static(ASSETS, { index: false, redirect: false, immutable: true, maxAge: '1d' });
  docs.use('/assets', allowCaching, files);
  return docs;
}

/** Everything else the service answers is not to be stored; these files change with the package's version only. */
const allowCaching: RequestHandler = (_request, response, next) => {
  response.removeHeader('Cache-Control');
  next();
};
