/** One operation as a caller calls it, with the values of its example. */
export type Call = {
  method: string;
  path: string;
  /** Values by name, of the path and of the query. */
  inPath: Readonly<Record<string, unknown>>;
  inQuery: Readonly<Record<string, unknown>>;
  /** Undefined where it takes none. */
  body: unknown;
  /** The media type of its answer: JSON, text, Parquet, or a stream. */
  media: string;
  /** Who may call it. */
  access: 'open' | 'key' | 'session';
};

export type Sample = { language: 'curl' | 'TypeScript' | 'Python'; text: string };

/** How to call it from each language. What only a session may do is for browsers: a shell shows it. */
export function samplesOf(call: Call): Sample[] {
  const curl: Sample = { language: 'curl', text: curlOf(call) };
  if (call.access === 'session') return [curl];
  return [
    curl,
    { language: 'TypeScript', text: typescriptOf(call) },
    { language: 'Python', text: pythonOf(call) },
  ];
}

const BINARY = new Set(['application/vnd.apache.parquet']);
const isStream = ({ media }: Call): boolean => media === 'text/event-stream';
const isText = ({ media }: Call): boolean => media !== 'application/json' && !BINARY.has(media);

/** The address with its values, as it is sent. */
function targetOf({ path, inPath, inQuery }: Call): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_whole, name) => encodeURIComponent(String(inPath[name])));
  const query = new URLSearchParams(
    Object.entries(inQuery).map(([name, value]): [string, string] => [name, String(value)]),
  );
  return query.size === 0 ? filled : `${filled}?${query}`;
}

function curlOf(call: Call): string {
  const { method, body, access } = call;
  const isPlain = method === 'GET' || (method === 'POST' && body !== undefined);
  const who = {
    open: [],
    key: ['-H "Authorization: Bearer $KEY"'],
    session: ['-b cookies.txt', ...(method === 'GET' ? [] : ['-H "Origin: $URL"'])],
  };
  return [
    `curl -s${isStream(call) ? 'N' : ''}${isPlain ? '' : ` -X ${method}`} "$URL${targetOf(call)}"`,
    ...who[access],
    ...(body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`]),
  ].join(' \\\n  ');
}

function typescriptOf(call: Call): string {
  if (isStream(call)) return followOf(call);
  const { method, path, inPath, inQuery, body } = call;
  const params = {
    ...(Object.keys(inPath).length > 0 && { path: inPath }),
    ...(Object.keys(inQuery).length > 0 && { query: inQuery }),
  };
  const options = [
    ...(Object.keys(params).length > 0 ? [`  params: ${JSON.stringify(params)},`] : []),
    ...(body === undefined ? [] : [`  body: ${indented(JSON.stringify(body, null, 2))},`]),
    ...(isText(call) ? [`  parseAs: 'text',`] : []),
    ...(BINARY.has(call.media) ? [`  parseAs: 'blob',`] : []),
  ];
  const optionsArgument = options.length === 0 ? '' : `, {\n${options.join('\n')}\n}`;
  return `import { createRestClient } from 'trading-strategy/rest';

const rest = createRestClient({ url: process.env.URL ?? '', key: process.env.KEY ?? '' });
const { data, error } = await rest.${method}('${path}'${optionsArgument});
console.log(data ?? error);`;
}

function followOf({ path, inQuery }: Call): string {
  const lists = Object.entries(inQuery).map(
    ([name, ids]) => `${name}: ${JSON.stringify(String(ids).split(','))}`,
  );
  return streamSample(path === '/api/stream' ? 'followValues' : 'follow', lists.join(', '));
}

const streamSample = (follow: string, lists: string): string => `import { ${follow} } from 'trading-strategy';

const account = { url: process.env.URL ?? '', key: process.env.KEY ?? '' };
for await (const { type, payload } of ${follow}({ ...account, ${lists} })) {
  console.log(type, payload);
}`;

function pythonOf(call: Call): string {
  const { method, body, access } = call;
  const headers = [
    ...(access === 'key' ? [`"Authorization": "Bearer " + os.environ["KEY"]`] : []),
    ...(body === undefined ? [] : [`"Content-Type": "application/json"`]),
  ];
  const parts = [
    `os.environ["URL"] + ${JSON.stringify(targetOf(call))}`,
    ...(method === 'GET' ? [] : [`method="${method}"`]),
    ...(headers.length === 0 ? [] : [`headers={${headers.join(', ')}}`]),
    ...(body === undefined ? [] : [`data=json.dumps(${indented(pythonValue(body))}).encode()`]),
  ];
  const read = isStream(call)
    ? 'for line in answer:\n        print(line.decode(), end="")'
    : `print(${BINARY.has(call.media) ? 'len(answer.read())' : isText(call) ? 'answer.read().decode()' : 'json.load(answer)'})`;
  return `import json, os, urllib.request

request = urllib.request.Request(
    ${parts.join(',\n    ')},
)
with urllib.request.urlopen(request) as answer:
    ${read}`;
}

const indented = (text: string): string => text.replaceAll('\n', '\n  ');

/** JSON as Python writes it. */
function pythonValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(pythonValue).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(
      ([name, each]) => `${JSON.stringify(name)}: ${pythonValue(each)}`,
    );
    return `{${entries.join(', ')}}`;
  }
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return JSON.stringify(value);
}
