/** Prints the Python client from the description: a `TypedDict` for each schema and a method for each operation. */

type Schema = {
  $ref?: string;
  type?: string | readonly string[];
  enum?: readonly unknown[];
  const?: unknown;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  additionalProperties?: boolean | Schema;
  contentSchema?: Schema;
  description?: string;
};
type Parameter = { name: string; in: string; required?: boolean; schema: Schema; description?: string };
type Content = Readonly<Record<string, { schema: Schema }>>;
type Operation = {
  operationId: string;
  summary: string;
  description?: string;
  parameters?: readonly Parameter[];
  requestBody?: { content: Content };
  responses: Readonly<Record<string, { content?: Content }>>;
  security?: readonly Readonly<Record<string, unknown>>[];
};
export type PythonSource = {
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  components: { schemas: Readonly<Record<string, Schema>> };
};

const HEAD = `# From the code: npm run openapi
"""The service's shapes and operations."""
from __future__ import annotations

from typing import Any, Dict, Iterator, List, Literal, NotRequired, Tuple, TypedDict, Union

from .transport import OMIT, Transport
`;

export function pythonClient({ paths, components }: PythonSource): string {
  const shapes = new Shapes();
  for (const [name, schema] of Object.entries(components.schemas)) shapes.add(name, schema);
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const groups = Map.groupBy(operations.filter(isForKeys), ({ operation }) => groupOf(operation));
  const own = groups.get('') ?? [];
  groups.delete('');
  const classes = [...groups].map(
    ([group, members]) =>
      `class _${pascal(group)}:\n    def __init__(self, transport: Transport) -> None:\n        self._transport = transport\n\n${members.map((each) => methodsOf(each, shapes)).join('\n')}`,
  );
  const client = `class Client:
    """The service at \`url\`, for the holder of \`key\`. \`timeout_sec\` bounds each wait for the next bytes."""

    def __init__(self, url: str, key: str, *, timeout_sec: float = 15) -> None:
        self._transport = Transport(url, key, timeout_sec)
${[...groups.keys()].map((group) => `        self.${snake(group)} = _${pascal(group)}(self._transport)`).join('\n')}

${own.map((each) => methodsOf(each, shapes)).join('\n')}`;
  return [HEAD, ...shapes.texts, ...classes, client].join('\n');
}

type Called = { path: string; method: string; operation: Operation };

/** Whether a key may call it. An alias of another path is left out. */
const isForKeys = ({ operation: { operationId, security = [] } }: Called): boolean =>
  !operationId.endsWith('-alias') &&
  (security.length === 0 || security.some((way) => 'Authorization' in way));

const groupOf = ({ operationId }: Operation): string => operationId.split('-').slice(0, -1).join('');

/** The types of the description, each printed once under a name. */
class Shapes {
  readonly texts: string[] = [];
  readonly #names = new Set<string>();

  add(name: string, schema: Schema): void {
    if (this.#names.has(name)) throw new Error(`Two schemas are named ${name}.`);
    this.#names.add(name);
    const text = schema.properties
      ? this.#record(name, schema.properties, schema)
      : `${name} = ${this.of(schema, name)}\n`;
    this.texts.push(text + docstring(schema.description, ''));
  }

  /** Returns a schema's type. An object without a name takes `name`. */
  of(schema: Schema, name: string): string {
    const { $ref, enum: values, anyOf, oneOf, items, properties, additionalProperties } = schema;
    if ($ref !== undefined) return `"${$ref.split('/').at(-1)}"`;
    if ('const' in schema) return literal([schema.const]);
    if (values) return literal(values);
    const variants = anyOf ?? oneOf;
    if (variants) return union(variants.map((each, index) => this.of(each, `${name}${index + 1}`)));
    if (properties) {
      this.add(name, schema);
      return `"${name}"`;
    }
    const types = [schema.type ?? 'any'].flat();
    return union(
      types.map((type) => {
        if (type === 'array') return `List[${this.of(items ?? {}, `${name}Item`)}]`;
        if (type !== 'object') return PLAIN[type] ?? 'Any';
        return `Dict[str, ${typeof additionalProperties === 'object' ? this.of(additionalProperties, `${name}Value`) : 'Any'}]`;
      }),
    );
  }

  #record(name: string, properties: Readonly<Record<string, Schema>>, { required = [] }: Schema): string {
    const fields = Object.entries(properties).map(([field, schema]) => {
      const type = this.of(schema, name + pascal(field));
      const comment = schema.description ? `    # ${oneLine(schema.description)}\n` : '';
      return `${comment}    ${JSON.stringify(field)}: ${required.includes(field) ? type : `NotRequired[${type}]`},\n`;
    });
    return `${name} = TypedDict("${name}", {\n${fields.join('')}})\n`;
  }
}

const PLAIN: Readonly<Record<string, string>> = {
  string: 'str',
  number: 'float',
  integer: 'int',
  boolean: 'bool',
  null: 'None',
};

const union = (types: readonly string[]): string => {
  const [first = 'Any', ...more] = new Set(types);
  return more.length === 0 ? first : `Union[${[first, ...more].join(', ')}]`;
};

const literal = (values: readonly unknown[]): string =>
  `Literal[${values.map((value) => (typeof value === 'boolean' ? pascal(String(value)) : JSON.stringify(value))).join(', ')}]`;

/** An argument of a method: how it is declared, and where its value goes. */
type Argument = { declared: string; sent: string; isRequired: boolean };

function methodsOf({ path, method, operation }: Called, shapes: Shapes): string {
  const { operationId, parameters = [], requestBody, responses } = operation;
  const name = snake(operationId.split('-').at(-1) ?? '');
  const title = operationId.split('-').map(pascal).join('');
  const argumentOf = (field: string, schema: Schema, isRequired: boolean): Argument => ({
    declared: `${snake(field)}: ${shapes.of(schema, title + pascal(field))}${isRequired ? '' : ' = OMIT'}`,
    sent: `${JSON.stringify(field)}: ${snake(field)}`,
    isRequired,
  });
  const ofParameters = (place: string) =>
    parameters
      .filter((each) => each.in === place)
      .map((each) => argumentOf(each.name, each.schema, place === 'path' || each.required === true));
  const [inPath, inQuery] = [ofParameters('path'), ofParameters('query')];
  const body = requestBody?.content['application/json']?.schema;
  const inBody = Object.entries(body?.properties ?? {}).map(([field, schema]) =>
    argumentOf(field, schema, body?.required?.includes(field) === true),
  );
  const headers = parameters.flatMap(({ name: header }) => HEADERS[header] ?? []);
  const [media = '', { schema: answer = {} } = {}] = Object.entries(responses['200']?.content ?? {})[0] ?? [];
  const isStream = media === 'text/event-stream';
  const query = inQuery.length > 0 ? [`query={${inQuery.map(({ sent }) => sent).join(', ')}}`] : [];
  const passed = [
    ...(inPath.length > 0 ? [`path_values={${inPath.map(({ sent }) => sent).join(', ')}}`] : []),
    ...query,
    ...(body ? [`body={${inBody.map(({ sent }) => sent).join(', ')}}`] : []),
    ...headers.map((header) => `${header.split(':')[0]}=${header.split(':')[0]}`),
  ];
  const signature = (given: readonly Argument[]) => {
    const named = [
      ...given
        .toSorted((a, b) => Number(b.isRequired) - Number(a.isRequired))
        .map(({ declared }) => declared),
      ...headers,
    ];
    return [
      'self',
      ...inPath.map(({ declared }) => declared),
      ...(named.length > 0 ? ['*', ...named] : []),
    ].join(', ');
  };
  const doc = docstring(`${operation.summary}. ${operation.description ?? ''}`, '        ');
  const type = shapes.of(isStream ? (answer.contentSchema ?? {}) : answer, `${title}Answer`);
  if (isStream)
    return `    def ${name}(${signature(inQuery)}) -> Iterator[Tuple[Union[str, None], ${type}]]:\n${doc}        return self._transport.stream("${path}", ${query.join('')})\n`;
  const returned = media.endsWith('parquet') ? 'bytes' : type;
  const text = `    def ${name}(${signature([...inQuery, ...inBody])}) -> ${returned}:\n${doc}        return self._transport.call(${[`"${method}"`, `"${path}"`, ...passed].join(', ')})\n`;
  if (!parameters.some(({ name: parameter }) => parameter === 'cursor')) return text;
  const rest = inQuery.filter(({ sent }) => !sent.startsWith('"cursor"'));
  return `${text}
    def ${name}_all(${signature(rest)}) -> Iterator[${type.replace(/^List\[(.*)\]$/, '$1')}]:
        """Yields every row of \`${name}\`, page by page."""
        return self._transport.rows(${[`"${path}"`, ...(inPath.length > 0 ? passed.slice(0, 1) : []), `query={${rest.map(({ sent }) => sent).join(', ')}}`].join(', ')})\n`;
}

/** Arguments in place of headers. */
const HEADERS: Readonly<Record<string, string>> = {
  'Idempotency-Key': 'idempotency_key: Union[str, None] = None',
  'If-Match': 'expected_version: Union[int, None] = None',
};

const pascal = (name: string): string => name.slice(0, 1).toUpperCase() + name.slice(1);
const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

const KEYWORDS = new Set(['from', 'import']);
const snake = (name: string): string => {
  const text = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return KEYWORDS.has(text) ? `${text}_` : text;
};

const docstring = (text: string | undefined, indent: string): string =>
  text ? `${indent}"""${oneLine(text).replaceAll('\\', '\\\\').replaceAll('"""', "'''")}"""\n` : '';
