/** Strategies as code: `plan` and `apply`. */
import { createHash } from 'node:crypto';
import type { Client } from '../client.ts';
import { newIdempotencyKey } from '../idempotency-key.ts';
import { isRefusedWith } from '../refusal.ts';
import { type Command, type CommandCall, clientOf, print } from './call.ts';
import { EXIT, type Exit, PlanChanged, plain, UsageError } from './io.ts';
import {
  changesOf,
  isValid,
  type Plan,
  type PlannedStep,
  planFiles,
  planJson,
  planText,
  settingsChangesOf,
} from './plan.ts';
import { findKnown } from './strategies.ts';
import { daysOf, recentRange, tryGraph } from './trial.ts';

export const APPLY_COMMANDS: Readonly<Record<string, Command>> = {
  plan: {
    takes: 'file',
    takesMany: true,
    usage: 'plan <files> [--backtest <days>]',
    does: 'what apply would change; with a backtest of both graphs over the last days',
    run: plan,
  },
  apply: {
    takes: 'file',
    takesMany: true,
    usage: 'apply <files> [--plan <plan>] [--yes]',
    does: 'make strategies, limits and channels what files say, without a gap in exits; what no file names stays',
    run: apply,
  },
};

async function plan(call: CommandCall): Promise<Exit> {
  const client = await clientOf(call);
  const { backtest } = call.options;
  const days = backtest === undefined ? null : daysOf('--backtest', backtest);
  const planned = await planFiles(client, await call.account(), call.words, call.io.env);
  if (days !== null) await addBacktests(client, planned, { days, signal: call.io.signal });
  print(call, planJson(planned), () => planText(planned));
  return isValid(planned) ? EXIT.done : EXIT.invalid;
}

async function addBacktests(
  client: Client,
  planned: Plan,
  { days, signal }: { days: number; signal: AbortSignal },
): Promise<void> {
  const range = recentRange(Date.now(), days);
  for (const { summary, graphFile, known } of changesOf(planned)) {
    if (!summary.valid) continue;
    const [before, after] = await Promise.all([
      known === null ? null : tryGraph(client, known.visual, range, { signal }),
      tryGraph(client, graphFile.visual, range, { signal }),
    ]);
    summary.backtest = { days, before, after };
  }
}

/** Plans, asks, and does exactly that. Nothing is applied while one of the files cannot run. */
async function apply(call: CommandCall): Promise<Exit> {
  const { io, options } = call;
  const client = await clientOf(call);
  const planned = await planFiles(client, await call.account(), call.words, io.env);
  if (!options['json']) io.out(planText(planned));
  const approved = options['plan'];
  if (typeof approved === 'string' && approved !== planned.hash)
    throw new PlanChanged(
      `The plan is now ${planned.hash}, not ${approved}: files, strategies, the service or the key have changed. Review the new plan.`,
    );
  const ends = (applied: readonly object[], exit: Exit): Exit => {
    if (options['json']) io.out(`${JSON.stringify({ ...planJson(planned), applied })}\n`);
    return exit;
  };
  const [settings, changes] = [settingsChangesOf(planned), changesOf(planned)];
  const count = settings.length + changes.length;
  if (!isValid(planned)) return ends([], EXIT.invalid);
  if (count > 0 && !options['yes'] && !(await isConfirmed(call, count))) return ends([], EXIT.failed);
  const applied: object[] = [];
  // Limits first: what is deployed meets them.
  for (const { summary, apply: change } of settings) {
    const secret = await change();
    applied.push({ subject: summary.subject });
    if (!options['json']) io.out(`${plain(summary.subject)}${secretText(secret, call)}\n`);
  }
  for (const step of changes) {
    const { id, status, name } = await applyStep(client, step);
    applied.push({ id, status, name });
    if (!options['json']) io.out(`${id}  ${status}  ${name}\n`);
  }
  return ends(applied, EXIT.done);
}

/** A secret is shown on a terminal only: logs of a workflow are read by many. */
const secretText = (secret: string | null, { io }: CommandCall): string =>
  secret === null ? '' : io.ask === null ? '  its secret is not shown here: rotate it' : `  ${secret}`;

async function isConfirmed({ io }: CommandCall, changes: number): Promise<boolean> {
  if (io.ask === null)
    throw new UsageError('There is no terminal to ask on. Pass --yes to apply without a question.');
  const answer = await io.ask(`Apply ${changes === 1 ? 'this change' : `these ${changes} changes`}? [y/N] `);
  return /^y(es)?$/i.test(answer.trim());
}

type Applied = { id: string; status: string; name: string };

/** A strategy that has another version than the planned one is refused by the service. */
async function applyStep(client: Client, step: PlannedStep): Promise<Applied> {
  const { summary, graphFile } = step;
  const { id, version, isRenamed } = summary;
  if (id === null) return createStrategy(client, step);
  if (version === null) throw new Error('The answer of the service lacks the version of the strategy.');
  const change = { id, visual: graphFile.visual, ...(isRenamed && { name: summary.name }) };
  const context = { expectedVersion: version };
  return summary.action === 'update'
    ? client.blueprints.update.mutate(change, { context })
    : client.blueprints.redeploy.mutate(change, { context });
}

/** Two runs at the same time create one strategy: their requests have one idempotency key. */
async function createStrategy(client: Client, { graphFile, summary }: PlannedStep): Promise<Applied> {
  if ((await findKnown(client, graphFile)) !== null)
    throw new PlanChanged(`${summary.name} exists by now. Review the new plan.`);
  const { key, name, visual } = graphFile;
  const create = (idempotencyKey: string) =>
    client.blueprints.create.mutate({ name, visual, thesisId: key }, { context: { idempotencyKey } });
  const graph = createHash('sha256').update(JSON.stringify([name, visual]));
  const { id } = await create(`create-${key}-${graph.digest('hex')}`);
  try {
    return await client.blueprints.redeploy.mutate({ id, visual });
  } catch (error) {
    // The answer was that of an earlier creation, whose strategy was deleted since.
    if (!isRefusedWith(error, 'not_found')) throw error;
    const created = await create(newIdempotencyKey());
    return client.blueprints.redeploy.mutate({ id: created.id, visual });
  }
}
