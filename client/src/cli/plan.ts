/** Plans the changes by which the service matches strategies and settings in files. Reads only. */
import { createHash } from 'node:crypto';
import type { Client, Outputs } from '../client.ts';
import type { Blueprint } from '../generated/router.ts';
import type { Account } from './account.ts';
import { differencesOf } from './differences.ts';
import { type Io, plain, UsageError } from './io.ts';
import {
  type PlannedSettings,
  planSettings,
  readSettingsFile,
  type SettingsFile,
  type SettingsStep,
} from './settings-files.ts';
import { findKnown, type GraphFile, readGraphFile } from './strategies.ts';
import { type TrialComparison, trialTable } from './trial.ts';

/**
 * The change of the strategy of a file.
 * `create` stores and runs a new one; `deploy` runs a draft; `redeploy` replaces the graph that runs; `update` stores the graph
 * of a stopped one, which stays stopped.
 */
export type Action = 'create' | 'deploy' | 'redeploy' | 'update' | 'nothing';

export type PlanStep = {
  file: string;
  action: Action;
  name: string;
  /** The name and the version that the plan is about; null for a strategy to be created. */
  id: string | null;
  version: number | null;
  status: Blueprint['status'] | null;
  isRenamed: boolean;
  differences: string[];
  /** Sentences about actions: those of the stored graph alone, and those of the file alone. */
  noLonger: string[];
  newly: string[];
  valid: boolean;
  issues: Outputs['blueprints']['validate']['issues'];
  backtest?: TrialComparison;
};

/** One step with the graphs that it is about, which are not printed. */
export type PlannedStep = { summary: PlanStep; graphFile: GraphFile; known: Blueprint | null };
/** @property hash names what was planned, the state and the key that it was planned for: all else has another hash */
export type Plan = { hash: string; settings: PlannedSettings[]; steps: PlannedStep[] };

/** As many files as an account may have strategies. */
const FILES_MAX = 1_000;

/** @throws UsageError for files that cannot be read, and for two of one strategy or setting. */
export async function planFiles(
  client: Client,
  account: Account,
  files: readonly string[],
  env: Io['env'],
): Promise<Plan> {
  if (files.length === 0) throw new UsageError('Which files?');
  if (files.length > FILES_MAX)
    throw new UsageError(`${files.length} files are too many: at most ${FILES_MAX}.`);
  const read: { file: string; graphFile: GraphFile }[] = [];
  const settingsFiles: SettingsFile[] = [];
  for (const file of files) {
    const settings = await readSettingsFile(file, env);
    if (settings === null) read.push({ file, graphFile: await readGraphFile(file) });
    else settingsFiles.push(settings);
  }
  const settings = await planSettings(client, settingsFiles);
  const steps: PlannedStep[] = [];
  for (const each of read) steps.push(await planStep(client, each));
  refuseTwins(steps);
  return { hash: hashOf({ settings, steps }, account), settings, steps };
}

async function planStep(
  client: Client,
  { file, graphFile }: { file: string; graphFile: GraphFile },
): Promise<PlannedStep> {
  const found = await findKnown(client, graphFile);
  const { visual } = graphFile;
  if (found === null) {
    // An older service sends no sentences.
    const { sentences = [], ...checked } = await client.blueprints.validateDrawing.mutate({ visual });
    const summary = {
      ...NEW_STEP,
      ...checked,
      newly: sentences.map(({ text }) => text),
      file,
      name: graphFile.name,
      differences: differencesOf(null, visual),
    };
    return { summary, graphFile, known: null };
  }
  const { id } = found;
  // One read gives the graph with its version: the list has no versions.
  const { data: known, reply } = await client.blueprints.read.queryReply({ id });
  const isRenamed = graphFile.isNamed && known.name !== graphFile.name;
  const differences = differencesOf(known.visual, visual);
  const [checked, before, after] = await Promise.all([
    client.blueprints.validate.mutate({ id, visual }),
    sentencesOf(client, id, known.visual),
    sentencesOf(client, id, visual),
  ]);
  const summary = {
    ...checked,
    file,
    action: actionOf(known.status, differences.length > 0 || isRenamed),
    name: isRenamed ? graphFile.name : known.name,
    id,
    version: reply.version ?? null,
    status: known.status,
    isRenamed,
    differences,
    noLonger: before.filter((text) => !after.includes(text)),
    newly: after.filter((text) => !before.includes(text)),
  };
  return { summary, graphFile, known };
}

const NEW_STEP = {
  action: 'create',
  id: null,
  version: null,
  status: null,
  isRenamed: false,
  noLonger: [],
} satisfies Partial<PlanStep>;

/** A strategy that was stopped stays so: the file says what it is, and a person whether it runs. */
function actionOf(status: Blueprint['status'], isChanged: boolean): Action {
  if (status === 'draft') return 'deploy';
  if (!isChanged) return 'nothing';
  return status === 'stopped' ? 'update' : 'redeploy';
}

async function sentencesOf(client: Client, id: string, visual: unknown): Promise<string[]> {
  const { sentences } = await client.blueprints.explain.mutate({ id, visual });
  return sentences.map(({ text }) => text);
}

function refuseTwins(steps: readonly PlannedStep[]): void {
  const files = new Map<string, string>();
  for (const { summary, graphFile } of steps) {
    const strategy = summary.id ?? graphFile.key;
    const other = files.get(strategy);
    if (other !== undefined)
      throw new UsageError(
        `${other} and ${summary.file} are one strategy, ${graphFile.name}. Give each its own name or thesisId.`,
      );
    files.set(strategy, summary.file);
  }
}

/** Covers the service and the key, too: a plan that was reviewed on paper is not applied to real money. */
function hashOf({ settings, steps }: Omit<Plan, 'hash'>, { url, key }: Account): string {
  const planned = steps.map(({ summary: { action, id, version, name }, graphFile }) => [
    action,
    id ?? graphFile.key,
    version,
    name,
    graphFile.visual,
  ]);
  return createHash('sha256')
    .update(JSON.stringify([url, key, planned, settings.map((each) => each.planned)]))
    .digest('hex')
    .slice(0, 32);
}

export const changesOf = ({ steps }: Plan): PlannedStep[] =>
  steps.filter(({ summary }) => summary.action !== 'nothing');

export const settingsChangesOf = ({ settings }: Plan): PlannedSettings[] =>
  settings.filter(({ summary }) => summary.action !== 'nothing');

/** Whether everything that would change can run. */
export const isValid = (plan: Plan): boolean => changesOf(plan).every(({ summary }) => summary.valid);

/** A plan as text for a person. */
export function planText({ hash, settings, steps }: Plan): string {
  const actions = [...settings, ...steps].map(({ summary }) => summary.action);
  const sum = [...new Set(actions)]
    .map((action) => `${actions.filter((each) => each === action).length} ${action}`)
    .join(', ');
  const texts = [
    ...settings.map(({ summary }) => settingsText(summary)),
    ...steps.map(({ summary }) => stepText(summary)),
  ];
  return `${texts.join('')}plan ${hash}: ${sum}\n`;
}

const settingsText = ({ action, subject, file, differences }: SettingsStep): string =>
  linesOf([action, subject, file], differences);

function stepText(step: PlanStep): string {
  const { action, name, id, status, file } = step;
  const hasDetails = action !== 'nothing' || !step.valid;
  const details = [
    ...(hasDetails ? step.differences : []),
    ...step.noLonger.map((text) => `no longer: ${text}`),
    ...step.newly.map((text) => `newly: ${text}`),
    ...(hasDetails ? step.issues.map(({ severity, path, message }) => `${severity} ${path} ${message}`) : []),
    ...(step.backtest ? trialTable(step.backtest) : []),
  ];
  const head = [action, name, ...(id === null ? [] : [id]), ...(status === null ? [] : [status]), file];
  return linesOf(head, details);
}

const linesOf = (head: readonly string[], details: readonly string[]): string =>
  [head.join('  '), ...details.map((line) => `  ${line}`)].map((line) => `${plain(line)}\n`).join('');

/** A plan as JSON for a script. */
export const planJson = (plan: Plan) => ({
  plan: plan.hash,
  valid: isValid(plan),
  changes: changesOf(plan).length + settingsChangesOf(plan).length,
  settings: plan.settings.map(({ summary }) => summary),
  steps: plan.steps.map(({ summary }) => summary),
});
