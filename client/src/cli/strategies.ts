/** Strategies as files: checked, compared, deployed and written. */
import { createHash } from 'node:crypto';
import { stat, writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import type { Client, Inputs, Outputs } from '../client.ts';
import type { Blueprint } from '../generated/router.ts';
import { strategySource } from '../strategy/write.ts';
import { type Command, type CommandCall, clientOf, print, word } from './call.ts';
import { differencesOf } from './differences.ts';
import { EXIT, type Exit, plain, table, UsageError } from './io.ts';
import {
  hasNodes,
  isText,
  noGraph,
  parsedJson,
  parsedText,
  readFileText,
  STRATEGY_FILE_COMMANDS,
  writtenText,
} from './strategy-files.ts';
import { daysOf, recentRange, trialTable, tryGraph } from './trial.ts';

export const STRATEGY_COMMANDS: Readonly<Record<string, Command>> = {
  list: { usage: 'list', does: 'the strategies of the account', run: list },
  validate: {
    takes: 'file',
    usage: 'validate <file>',
    does: 'check a graph without storing it',
    run: validate,
  },
  explain: {
    takes: 'file',
    usage: 'explain <file>',
    does: 'say in words what each acting node of a graph does, without storing it',
    run: explain,
  },
  ...STRATEGY_FILE_COMMANDS,
  backtest: {
    takes: 'file',
    usage: 'backtest <file> [--days <days>]',
    does: 'run a graph over the last days, 30 unless given, without storing it',
    run: backtest,
  },
  deploy: {
    takes: 'file',
    usage: 'deploy <file> [--name <name>] [--id <id>]',
    does: 'store a graph and run it; the same file again updates its strategy',
    run: deploy,
  },
  tune: {
    takes: 'strategy',
    takesMany: true,
    usage: 'tune <id> <parameter>=<value> …',
    does: 'run a strategy with other values of its parameters, as its next release',
    run: tune,
  },
  diff: {
    takes: 'file',
    usage: 'diff <file> [--name <name>] [--id <id>]',
    does: 'what deploy would change; ends with 1 where it would',
    run: diff,
  },
  pull: {
    takes: 'strategy',
    usage: 'pull <id> [--out <file>]',
    does: 'write a strategy as a file for apply; as TypeScript into one that ends in .ts, as text into .strategy',
    run: pull,
  },
};

async function list(call: CommandCall): Promise<Exit> {
  const client = await clientOf(call);
  const blueprints = await client.blueprints.list.query({});
  const rows = blueprints.map(({ id, status, name }) => [id, status, name]);
  print(call, blueprints, () => table([['ID', 'STATUS', 'NAME'], ...rows]));
  return EXIT.done;
}

/**
 * A strategy in a file.
 *
 * @property key the strategy's own reference: by it the same file finds its strategy again
 * @property id names its strategy directly, as `pull` writes it; null in a file written by hand
 */
export type GraphFile = {
  id: string | null;
  name: string;
  isNamed: boolean;
  key: string;
  visual: unknown;
  /** Returns where an issue is: a line and column of text, or a path of JSON. */
  placeOf: (issue: Checked['issues'][number]) => string;
};

/** Reads the file that a call names. */
const graphFileOf = (call: CommandCall): Promise<GraphFile> =>
  readGraphFile(word(call, 'file'), call.options['name']);

/** Reads a file with a graph, or with a graph, its name and its key. Without a name it takes that of the file. */
export async function readGraphFile(file: string, givenName?: string | boolean): Promise<GraphFile> {
  const { strategy, positions } = await readStrategy(file);
  const { id, name: written, thesisId, visual = strategy } = strategy;
  if (!hasNodes(visual)) throw noGraph(file);
  const given = givenName ?? written;
  const isNamed = typeof given === 'string';
  const name = isNamed ? given : file.replace(/^.*[\\/]|\.(?:json|strategy|[cm]?[jt]s)$/g, '');
  const key = typeof thesisId === 'string' ? thesisId : keyOf(name);
  const placeOf: GraphFile['placeOf'] = ({ nodeId, path }) => {
    const at = positions?.get(nodeId ?? '');
    return at === undefined ? path : `${file}:${at.line}:${at.column}`;
  };
  return { id: typeof id === 'string' ? id : null, name, isNamed, key, visual, placeOf };
}

const MODULE = /\.[cm]?[jt]s$/;

/** A strategy as a file has it; where its nodes are, if the file is text. */
type StrategyInFile = {
  strategy: Readonly<Record<string, unknown>>;
  positions?: ReturnType<typeof parsedText>['positions'];
};

/** Reads text or JSON, or runs a module that exports its strategy. */
async function readStrategy(file: string): Promise<StrategyInFile> {
  if (MODULE.test(file)) return { strategy: await exported(file) };
  const content = await readFileText(file);
  if (!isText(file)) return { strategy: parsedJson(content, file) };
  const { visual, positions } = parsedText(content, file);
  return { strategy: { visual }, positions };
}

/** Node.js reads TypeScript from version 22.18 on. */
async function exported(file: string): Promise<StrategyInFile['strategy']> {
  const { mtimeMs } = await stat(file).catch(() => {
    throw new UsageError(`${file} cannot be read.`);
  });
  // Without the time, a file that changed would be that of the first import.
  const { default: strategy } = await import(`${pathToFileURL(file).href}?${mtimeMs}`);
  // Through JSON, as it is sent: two graphs are equal if their JSON is.
  return parsedJson(JSON.stringify(strategy) ?? '', file);
}

/** Derives the key from a name: a UUID of version 8. */
function keyOf(name: string): string {
  const hash = createHash('sha256').update(`trading-strategy:${name}`).digest('hex');
  const [a, b, c, d, e] = [
    hash.slice(0, 8),
    hash.slice(8, 12),
    hash.slice(13, 16),
    hash.slice(17, 20),
    hash.slice(20, 32),
  ];
  return `${a}-${b}-8${c}-8${d}-${e}`;
}

/**
 * Finds the strategy of a file; null if there is none yet.
 *
 * @throws the refusal `not_found` if the file names one by id that does not exist.
 */
export async function findKnown(
  client: Client,
  { key, id: idInFile }: GraphFile,
  givenId?: string | boolean,
): Promise<Blueprint | null> {
  const id = givenId ?? idInFile;
  if (typeof id === 'string') return client.blueprints.read.query({ id });
  const [known = null] = await client.blueprints.list.query({ thesisId: key, limit: 1 });
  return known;
}

type Checked = Outputs['blueprints']['validate'];
const sentences = ({ valid, issues }: Checked, { placeOf }: GraphFile): string =>
  `${valid ? 'valid' : 'not valid'}\n${table(issues.map((issue) => [issue.severity, placeOf(issue), issue.message]))}`;

/** Checks the graph of a file. */
async function checkedFileOf(call: CommandCall) {
  const client = await clientOf(call);
  const graphFile = await graphFileOf(call);
  const { sentences: explained = [], ...checked } = await client.blueprints.validateDrawing.mutate({
    visual: graphFile.visual,
  });
  const printChecked = () => print(call, checked, () => sentences(checked, graphFile));
  return { client, graphFile, isValid: checked.valid, sentences: explained, printChecked };
}

async function validate(call: CommandCall): Promise<Exit> {
  const { isValid, printChecked } = await checkedFileOf(call);
  printChecked();
  return isValid ? EXIT.done : EXIT.invalid;
}

async function explain(call: CommandCall): Promise<Exit> {
  const { isValid, sentences: explained, printChecked } = await checkedFileOf(call);
  if (isValid)
    print(call, { sentences: explained }, () => explained.map(({ text }) => `${plain(text)}\n`).join(''));
  else printChecked();
  return isValid ? EXIT.done : EXIT.invalid;
}

async function backtest(call: CommandCall): Promise<Exit> {
  const days = daysOf('--days', call.options['days'] ?? '30');
  const { client, graphFile, isValid, printChecked } = await checkedFileOf(call);
  if (!isValid) {
    printChecked();
    return EXIT.invalid;
  }
  const range = recentRange(Date.now(), days);
  const after = await tryGraph(client, graphFile.visual, range, { signal: call.io.signal });
  const lines = [...after.warnings, ...trialTable({ days, before: null, after })];
  print(call, { days, ...after }, () => `${lines.join('\n')}\n`);
  return after.figures === null ? EXIT.failed : EXIT.done;
}

async function deploy(call: CommandCall): Promise<Exit> {
  const { client, graphFile, isValid, printChecked } = await checkedFileOf(call);
  if (!isValid) {
    printChecked();
    return EXIT.invalid;
  }
  const { id } = await storeGraph(client, graphFile, await findKnown(client, graphFile, call.options['id']));
  const running = await client.blueprints.deploy.mutate({ id });
  print(call, running, () => `${running.id}  ${running.status}  ${running.name}\n`);
  return EXIT.done;
}

async function tune(call: CommandCall): Promise<Exit> {
  const [id, ...set] = call.words;
  if (id === undefined || set.length === 0)
    throw new UsageError('Which strategy and which values? tune <id> fast=14');
  const parameters = Object.fromEntries(set.map(setting));
  const client = await clientOf(call);
  const running = await client.blueprints.redeploy.mutate({ id, parameters });
  print(call, running, () => `${running.id}  ${running.status}  ${running.name}\n`);
  return EXIT.done;
}

type Value = NonNullable<Inputs['blueprints']['redeploy']['parameters']>[string];

/** Reads `fast=14`: numbers, true and false, and lists are JSON, all else is text, such as the long digits of a token. */
function setting(written: string): [name: string, value: Value] {
  const [, name, text = ''] = /^([^=]+)=(.*)$/s.exec(written) ?? [];
  if (name === undefined) throw new UsageError(`“${written}” sets no parameter. Write fast=14.`);
  try {
    const value = JSON.parse(text) as Value;
    return [name, typeof value === 'number' && String(value) !== text ? text : value];
  } catch {
    return [name, text];
  }
}

/** Stores the graph if it differs from the stored one. */
async function storeGraph(
  client: Client,
  { name, isNamed, key, visual }: GraphFile,
  known: Blueprint | null,
): Promise<{ id: string }> {
  if (known === null) return client.blueprints.create.mutate({ name, visual, thesisId: key });
  const isRenamed = isNamed && known.name !== name;
  if (!isRenamed && differencesOf(known.visual, visual).length === 0) return known;
  return client.blueprints.update.mutate({ id: known.id, visual, ...(isRenamed && { name }) });
}

async function diff(call: CommandCall): Promise<Exit> {
  const client = await clientOf(call);
  const graphFile = await graphFileOf(call);
  const known = await findKnown(client, graphFile, call.options['id']);
  const differences = differencesOf(known?.visual ?? null, graphFile.visual);
  const id = known?.id ?? null;
  print(call, { id, differences }, () => differences.map((line) => `${line}\n`).join(''));
  return differences.length === 0 ? EXIT.done : EXIT.failed;
}

async function pull(call: CommandCall): Promise<Exit> {
  const client = await clientOf(call);
  const { id, name, visual } = await client.blueprints.read.query({ id: word(call, 'strategy') });
  const { out } = call.options;
  const text = strategyText({ id, name, visual }, typeof out === 'string' ? out : '');
  if (typeof out === 'string') await writeFile(out, text);
  else call.io.out(text);
  return EXIT.done;
}

/** Writes a strategy in the form of the file it goes to: text, TypeScript or JSON. */
function strategyText(strategy: Pick<Blueprint, 'id' | 'name' | 'visual'>, file: string): string {
  if (isText(file)) return writtenText(strategy.visual);
  return MODULE.test(file) ? strategySource(strategy) : `${JSON.stringify(strategy, null, 2)}\n`;
}
