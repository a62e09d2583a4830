/** Strategies as files: checked, compared, deployed and written. */
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import type { Client, Outputs } from '../client.ts';
import type { Blueprint } from '../generated/router.ts';
import { type Command, type CommandCall, clientOf, print, word } from './call.ts';
import { differencesOf } from './differences.ts';
import { EXIT, type Exit, table } from './io.ts';
import {
  isText,
  parsedJson,
  parsedText,
  readFileText,
  STRATEGY_FILE_COMMANDS,
  writtenText,
} from './strategy-files.ts';

export const STRATEGY_COMMANDS: Readonly<Record<string, Command>> = {
  list: { usage: 'list', does: 'the strategies of the account', run: list },
  validate: {
    takes: 'file',
    usage: 'validate <file>',
    does: 'check a graph without storing it',
    run: validate,
  },
  ...STRATEGY_FILE_COMMANDS,
  deploy: {
    takes: 'file',
    usage: 'deploy <file> [--name <name>] [--id <id>]',
    does: 'store a graph and run it; the same file again updates its strategy',
    run: deploy,
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
    does: 'write a strategy as a file for deploy',
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

/** `key` is the strategy's own reference: by it the same file finds its strategy again. */
type GraphFile = {
  name: string;
  isNamed: boolean;
  key: string;
  visual: unknown;
  /** Returns where an issue is: a line and column of text, or a path of JSON. */
  placeOf: (issue: Checked['issues'][number]) => string;
};

/** Reads a file with a graph, as text or as JSON, or with a graph, its name and its key. Without a name it takes that of the file. */
async function readGraphFile(call: CommandCall): Promise<GraphFile> {
  const file = word(call, 'file');
  const content = await readFileText(file);
  const text = isText(file) ? parsedText(content, file) : null;
  const read = text === null ? parsedJson(content, file) : { visual: text.visual };
  const { name: written, thesisId, visual = read } = read as Readonly<Record<string, unknown>>;
  const given = call.options['name'] ?? written;
  const isNamed = typeof given === 'string';
  const name = isNamed ? given : file.replace(/^.*[\\/]|\.(?:json|strategy)$/g, '');
  const key = typeof thesisId === 'string' ? thesisId : keyOf(name);
  const placeOf: GraphFile['placeOf'] = ({ nodeId, path }) => {
    const at = text?.positions.get(nodeId ?? '');
    return at === undefined ? path : `${file}:${at.line}:${at.column}`;
  };
  return { name, isNamed, key, visual, placeOf };
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

/** Finds the strategy of a file; null if there is none yet. */
async function findKnown(
  { options }: CommandCall,
  client: Client,
  { key }: GraphFile,
): Promise<Blueprint | null> {
  const { id } = options;
  if (typeof id === 'string') return client.blueprints.read.query({ id });
  const [known = null] = await client.blueprints.list.query({ thesisId: key, limit: 1 });
  return known;
}

type Checked = Outputs['blueprints']['validate'];
const sentences = ({ valid, issues }: Checked, { placeOf }: GraphFile): string =>
  `${valid ? 'valid' : 'not valid'}\n${table(issues.map((issue) => [issue.severity, placeOf(issue), issue.message]))}`;

async function validate(call: CommandCall): Promise<Exit> {
  const client = await clientOf(call);
  const graphFile = await readGraphFile(call);
  const checked = await client.blueprints.validateDrawing.mutate({ visual: graphFile.visual });
  print(call, checked, () => sentences(checked, graphFile));
  return checked.valid ? EXIT.done : EXIT.invalid;
}

async function deploy(call: CommandCall): Promise<Exit> {
  const client = await clientOf(call);
  const graphFile = await readGraphFile(call);
  const checked = await client.blueprints.validateDrawing.mutate({ visual: graphFile.visual });
  if (!checked.valid) {
    print(call, checked, () => sentences(checked, graphFile));
    return EXIT.invalid;
  }
  const { id } = await storeGraph(client, graphFile, await findKnown(call, client, graphFile));
  const running = await client.blueprints.deploy.mutate({ id });
  print(call, running, () => `${running.id}  ${running.status}  ${running.name}\n`);
  return EXIT.done;
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
  const graphFile = await readGraphFile(call);
  const known = await findKnown(call, client, graphFile);
  const differences = differencesOf(known?.visual ?? null, graphFile.visual);
  const id = known?.id ?? null;
  print(call, { id, differences }, () => differences.map((line) => `${line}\n`).join(''));
  return differences.length === 0 ? EXIT.done : EXIT.failed;
}

async function pull(call: CommandCall): Promise<Exit> {
  const client = await clientOf(call);
  const { name, visual } = await client.blueprints.read.query({ id: word(call, 'strategy') });
  const { out } = call.options;
  const isJson = typeof out !== 'string' || !isText(out);
  const text = isJson ? `${JSON.stringify({ name, visual }, null, 2)}\n` : writtenText(visual);
  if (typeof out === 'string') await writeFile(out, text);
  else call.io.out(text);
  return EXIT.done;
}
