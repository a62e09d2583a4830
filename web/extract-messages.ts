import { IntlMessageFormat } from 'intl-messageformat';
import { parseSync } from 'vite';

/** One message that a source shows to the user. */
export type SourceMessage = {
  /** The key in a catalog, with the context. */
  key: string;
  text: string;
  line: number;
  /** Names of the values given to fill it; null if the source does not spell them out. */
  given: readonly string[] | null;
};

type Node = { type: string; start: number; [part: string]: unknown };

/** Attributes that are shown or spoken. */
const READ = new Set(
  'aria-label aria-valuetext title label placeholder alt data-label hint action done why description summary'.split(
    ' ',
  ),
);
/** Elements with typed or pressed text, which is the same in every language. */
const VERBATIM = new Set(['code', 'kbd', 'pre', 'style']);
/** Letters of no language: a unit, the name of a format, an example. */
const NO_WORD = /^(?:[\W\d]|ABC|USD|UTC|JSON|CSV|API|Desk|https?:\S*|Ctrl|Esc|[a-z])*$/;

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

const childrenOf = (node: Node): Node[] => Object.values(node).flat().filter(isNode);

function* nodesIn(node: Node): Generator<Node> {
  yield node;
  for (const child of childrenOf(node)) yield* nodesIn(child);
}

const treeOf = (file: string, source: string): Node => {
  const { program, errors } = parseSync(file, source, { lang: file.endsWith('x') ? 'tsx' : 'ts' });
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  return program as unknown as Node;
};

const lineAt = (source: string, start: number): number => source.slice(0, start).split('\n').length;

/** A literal text, in quotes of any kind. */
function literal(node: unknown): string | null {
  if (!isNode(node)) return null;
  if (node.type === 'Literal') return typeof node['value'] === 'string' ? node['value'] : null;
  return node.type === 'JSXExpressionContainer' ? literal(node['expression']) : null;
}

const nameOf = (node: unknown): string =>
  isNode(node) && typeof node['name'] === 'string' ? node['name'] : '';

/** The names of an object literal; null if parts of it come from elsewhere. */
function namesOf(node: unknown): string[] | null {
  if (!isNode(node)) return [];
  if (node.type === 'JSXExpressionContainer') return namesOf(node['expression']);
  if (node.type !== 'ObjectExpression') return null;
  const properties = childrenOf(node);
  if (properties.some(({ type }) => type !== 'Property')) return null;
  return properties.map(({ key }) => nameOf(key) || literal(key) || '');
}

const attributesOf = (opening: Node): Map<string, unknown> =>
  new Map(
    childrenOf(opening)
      .filter(({ type }) => type === 'JSXAttribute')
      .map((each) => [nameOf(each['name']), each['value']]),
  );

/** Every message of a source: the arguments of `t`, `msg` and `Trans`. */
export function messagesIn(file: string, source: string): SourceMessage[] {
  const said: SourceMessage[] = [];
  for (const node of nodesIn(treeOf(file, source))) {
    const line = () => lineAt(source, node.start);
    if (node.type === 'CallExpression') {
      const [text, values, context] = node['arguments'] as unknown[];
      const message = literal(text);
      const called = nameOf(node['callee']);
      if (message === null || (called !== 't' && called !== 'msg')) continue;
      const about = literal(context);
      const key = about === null ? message : `${message} (${about})`;
      said.push({ key, text: message, line: line(), given: called === 'msg' ? null : namesOf(values) });
    }
    if (node.type === 'JSXOpeningElement' && nameOf(node['name']) === 'Trans') {
      const attributes = attributesOf(node);
      const message = literal(attributes.get('message'));
      if (message === null) throw new Error(`${file}:${line()}: a message of Trans is written out.`);
      const [values, tags] = [namesOf(attributes.get('values')), namesOf(attributes.get('tags'))];
      said.push({ key: message, text: message, line: line(), given: values && tags && [...values, ...tags] });
    }
  }
  return said;
}

/** Texts that are in no message, so that they would stay English in every language. */
export function bareTextsIn(file: string, source: string): string[] {
  const found: string[] = [];
  const add = (node: Node, text: string) => {
    if (!NO_WORD.test(text.trim())) found.push(`${file}:${lineAt(source, node.start)}: ${text.trim()}`);
  };
  const visit = (node: Node): void => {
    if (node.type === 'JSXElement') {
      const opening = node['openingElement'] as Node;
      if (VERBATIM.has(nameOf(opening['name']))) return;
    }
    if (node.type === 'JSXText') add(node, String(node['value']));
    if (node.type === 'JSXAttribute' && READ.has(nameOf(node['name'])))
      add(node, literal(node['value']) ?? '');
    for (const child of childrenOf(node)) visit(child);
  };
  visit(treeOf(file, source));
  return found;
}

/** Messages that a source says while it loads, before the language is known. `msg` marks such messages. */
export function earlyMessagesIn(file: string, source: string): string[] {
  const found: string[] = [];
  const visit = (node: Node): void => {
    if (/Function|PropertyDefinition/.test(node.type)) return;
    if (node.type === 'CallExpression' && nameOf(node['callee']) === 't') {
      found.push(`${file}:${lineAt(source, node.start)}`);
    }
    for (const child of childrenOf(node)) visit(child);
  };
  visit(treeOf(file, source));
  return found;
}

/** Text and the number of a plural: no placeholders. */
const [TEXT, POUND] = [0, 7];

/** The placeholders of a message, tags included. */
export function namesIn(message: string): string[] {
  const names = new Set<string>();
  const visit = (parts: ReturnType<IntlMessageFormat['getAst']>): void => {
    for (const part of parts) {
      if (part.type !== TEXT && part.type !== POUND && 'value' in part) names.add(part.value);
      if ('children' in part) visit(part.children);
      if ('options' in part) for (const { value } of Object.values(part.options)) visit(value);
    }
  };
  visit(new IntlMessageFormat(message, 'en').getAst());
  return [...names].sort();
}

/** All texts of a source, however quoted, with each placeholder as `{}`. */
export function textsIn(file: string, source: string): string[] {
  const texts: string[] = [];
  for (const node of nodesIn(treeOf(file, source))) {
    if (node.type === 'Literal' && typeof node['value'] === 'string') texts.push(node['value']);
    if (node.type === 'TemplateLiteral')
      texts.push(
        (node['quasis'] as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join('{}'),
      );
  }
  return texts;
}
