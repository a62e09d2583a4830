import { type Call, samplesOf } from './samples.ts';

type Schema = { type?: string; enum?: unknown[]; minimum?: number; maximum?: number; format?: string };
type Parameter = {
  in: string;
  name: string;
  required?: boolean;
  description?: string;
  schema?: Schema;
  example?: unknown;
};
type Content = Record<string, { schema?: unknown; example?: unknown } | undefined>;
type Operation = {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
  security?: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, { $ref?: string; content?: Content }>;
};

/** The parts of an OpenAPI document that a person reads. */
export type Described = {
  info: { title: string; description?: string };
  tags: { name: string; description?: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { responses: Record<string, { description: string }> };
};

type Entry = { method: string; path: string; operation: Operation };

const entriesOf = (paths: Described['paths']): Entry[] =>
  Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ method, path, operation })),
  );

/** Every operation as its example calls it. */
export const callsOf = ({ paths }: Pick<Described, 'paths'>): Call[] => entriesOf(paths).map(callOf);

function callOf({ method, path, operation }: Entry): Call {
  const { parameters = [], requestBody, responses, security = [] } = operation;
  const valuesIn = (location: string) =>
    Object.fromEntries(
      parameters
        .filter(({ in: where, example }) => where === location && example !== undefined)
        .map(({ name, example }) => [name, example]),
    );
  const isForKeys = security.some((way) => way['Authorization'] !== undefined);
  return {
    method: method.toUpperCase(),
    path,
    inPath: valuesIn('path'),
    inQuery: valuesIn('query'),
    body: exampleOf(requestBody?.content),
    media: Object.keys(responses['200']?.content ?? {})[0] ?? 'application/json',
    access: security.length === 0 ? 'open' : isForKeys ? 'key' : 'session',
  };
}

/**
 * The whole API as a page of some kilobytes without a script: what there is to read is there before the playground,
 * forty times as large, is asked for.
 */
export function referenceHtml({ info, tags, paths, components }: Described): string {
  const entries = entriesOf(paths);
  const reasonOf = (ref: string) => components.responses[ref.replace(/^.*\//, '')]?.description ?? '';
  const groups = tags.map((tag) => ({
    tag,
    entries: entries.filter(({ operation }) => operation.tags?.includes(tag.name)),
  }));
  return `<nav aria-label="Parts of the API">
${groups.map(({ tag }) => `<a href="#${slug(tag.name)}">${text(tag.name)}</a>`).join('\n')}
<a class="play" href="#description/introduction">Open the playground</a>
<a href="/openapi.json">openapi.json</a>
<a href="/asyncapi.json">asyncapi.json</a>
<a href="/docs/guides/integrators">Guides</a>
<a href="/docs/guides/changelog">Changes</a>
<a href="/">Console</a>
</nav>
<main>
<h1>${text(info.title)}</h1>
${paragraphs(info.description)}
${GUIDE_LINKS}
<p>Samples run as they stand, with the address of the service in <code>URL</code> and a key in <code>KEY</code>; the ids are examples. TypeScript uses
<a href="/docs/guides/client">the client package</a>, Python its own library.</p>
<input type="search" aria-label="Search operations" placeholder="Search operations">
${groups
  .map(
    ({ tag, entries: own }) => `<section id="${slug(tag.name)}">
<h2>${text(tag.name)}</h2>
${paragraphs(tag.description)}
${own.map((entry) => operationHtml(entry, tag.name, reasonOf)).join('\n')}
</section>`,
  )
  .join('\n')}
</main>`;
}

const GUIDE_LINKS = `<p>Guides: ${[
  ['integrators#who-you-are', 'authentication'],
  ['integrators#scopes-by-task', 'scopes by task'],
  ['integrators#lists-and-cursors', 'lists and cursors'],
  ['integrators#repeating-a-request', 'repeating a request'],
  ['integrators#versions', 'versions (ETag)'],
  ['integrators#units-and-names', 'units and token ids'],
  ['integrators#events', 'events'],
  ['notifications#verifying-a-webhook', 'webhooks and their signatures'],
  ['integrators#agents', 'agents'],
  ['limits', 'limits'],
  ['errors', 'errors'],
  ['strategies', 'the language of strategies'],
]
  .map(([target, words]) => `<a href="/docs/guides/${target}">${words}</a>`)
  .join(', ')}.</p>`;

function operationHtml(entry: Entry, tag: string, reasonOf: (ref: string) => string) {
  const { method, path, operation } = entry;
  const scope = operation.security?.flatMap((way) => way['Authorization'] ?? [])[0];
  const request = exampleOf(operation.requestBody?.content);
  const response = exampleOf(operation.responses['200']?.content);
  const refusals = Object.entries(operation.responses).filter(([status]) => status !== '200');
  return `<details id="${text(operation.operationId ?? '')}">
<summary><b class="${method}">${method.toUpperCase()}</b> <code>${text(path)}</code> <span>${text(operation.summary ?? '')}</span></summary>
${paragraphs(operation.description)}
<p>${scope ? `Scope <code>${text(scope)}</code>. ` : ''}<a href="#tag/${slug(tag)}/${method.toUpperCase()}${text(path)}">Try ${method.toUpperCase()} ${text(path)}</a></p>
${parametersHtml(operation.parameters ?? [])}
${samplesHtml(callOf(entry))}
${exampleHtml('Request', request)}
${exampleHtml('Answer 200', response)}
<ul>${refusals.map(([status, { $ref = '' }]) => `<li><code>${status}</code> ${inline(reasonOf($ref))}</li>`).join('')}</ul>
</details>`;
}

const samplesHtml = (call: Call): string =>
  samplesOf(call)
    .map(
      ({ language, text: sample }) =>
        `<details class="sample"><summary>${language}</summary><pre tabindex="0">${text(sample)}</pre></details>`,
    )
    .join('') +
  (call.access === 'session'
    ? '<p>For people who are signed in: a browser keeps the session, so there is no sample for programs.</p>'
    : '');

function parametersHtml(parameters: readonly Parameter[]): string {
  if (parameters.length === 0) return '';
  const rows = parameters.map(
    ({ name, in: location, required, schema, description }) =>
      `<tr><th scope="row"><code>${text(name)}</code></th><td>${location}${required ? ', required' : ''}</td><td>${text(typeWords(schema))}</td><td>${inline(description ?? '')}</td></tr>`,
  );
  return `<table>${rows.join('')}</table>`;
}

function typeWords(schema: Schema | undefined): string {
  if (!schema) return '';
  if (schema.enum) return schema.enum.join(' | ');
  const { type = '', format, minimum, maximum } = schema;
  const range = minimum === undefined || maximum === undefined ? '' : ` ${minimum} to ${maximum}`;
  return `${format ?? type}${range}`;
}

const exampleOf = (content: Content | undefined): unknown => content?.['application/json']?.example;

const exampleHtml = (title: string, example: unknown): string =>
  example === undefined
    ? ''
    : `<h3>${title}</h3><pre tabindex="0">${text(JSON.stringify(example, null, 2))}</pre>`;

/** As the playground writes the names of tags in addresses. */
const slug = (name: string): string => name.toLowerCase().replaceAll(' ', '-');

const paragraphs = (markdown = ''): string =>
  markdown
    .split('\n\n')
    .filter((part) => part !== '')
    .map((part) => `<p>${inline(part)}</p>`)
    .join('\n');

/** Of Markdown, our descriptions use code marks and nothing else within a line. */
const inline = (markdown: string): string => text(markdown).replaceAll(/`([^`]+)`/g, '<code>$1</code>');

const text = (value: string): string =>
  value.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
