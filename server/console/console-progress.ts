/** Renders `/` while the console is being built, or when the build failed. Without scripts: it reloads itself. */
export function progressPage(
  site: { state: 'building'; phase: string } | { state: 'failed'; reason: string },
): string {
  const building = site.state === 'building';
  const content = building
    ? `<h1>Building the console</h1>
<p role="status">The API is up; the console is built once per version and is at: <b>${escapeHtml(site.phase)}</b>. This takes some seconds.</p>
<progress aria-label="Building" max="3"${PROGRESS[site.phase] === undefined ? '' : ` value="${PROGRESS[site.phase]}"`}></progress>`
    : `<h1>The console is not available</h1>
<p>${escapeHtml(site.reason)}. The API serves all the same. Run <code>npm run build</code> to see why, then restart.</p>`;
  const reload = building ? '<meta http-equiv="refresh" content="2">' : '';
  return pageOf(building ? 'Building the console' : 'No console', content, reload);
}

/** Renders the page for a console that could not be sent. It needs no other file. */
export function failurePage(requestId: string): string {
  return pageOf(
    'Something went wrong',
    `<h1>Something went wrong</h1>
<p>The page could not be sent. Running strategies continue; none of your work is lost. Reload in a moment. If the problem stays, quote this request:</p>
<p><code>${escapeHtml(requestId)}</code></p>`,
  );
}

const pageOf = (title: string, content: string, head = ''): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${head}
<title>${title} · Trading-Strategy Service</title>
<style>${STYLE}</style>
</head>
<body><main>${content}
<p><a href="/docs">API reference</a> · <a href="/openapi.json">openapi.json</a> · <a href="/health">health</a></p></main></body>
</html>
`;

const PROGRESS: Readonly<Record<string, number>> = { bundling: 1, compressing: 2 };

const STYLE = `:root{color-scheme:dark}body{margin:0;min-height:100vh;display:grid;place-items:center;background:#0b1018;color:#e6e9ef;font:15px/1.6 system-ui,sans-serif}
main{max-width:34rem;padding:2rem}h1{font-size:1.25rem;font-weight:600;margin:0 0 .5rem}p{color:#b4bccb}a{color:#8ab8ff}code{color:#e6e9ef}progress{width:100%;height:6px;accent-color:#5b9dff}`;

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
