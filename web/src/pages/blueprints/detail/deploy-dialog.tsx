import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { readProblem } from '../../../api/problem.ts';
import type { Blueprint } from '../../../api/row-types.ts';
import { client, invalidate, type Outputs, trpc } from '../../../api/trpc.ts';
import { disabledNodesOf, isDisabled, quotedNames } from '../../../editor/drawing/disabled-nodes.ts';
import { readGraph } from '../../../editor/drawing/json.ts';
import { graphNodeOf } from '../../../editor/drawing/list-states.ts';
import {
  type Catalogue,
  configOf,
  type EditorGraph,
  type Issue,
  labelOf,
} from '../../../editor/drawing/model.ts';
import { issueWords } from '../../../editor/drawing/words.ts';
import { useCatalogue } from '../../../editor/use-catalogue.ts';
import { type Mode, modeWords } from '../../../format/mode.ts';
import { shortName } from '../../../format/short-name.ts';
import { tokenName } from '../../../format/token-name.ts';
import { venueTitle } from '../../../format/trading/venue.ts';
import { msg, t, withinWords } from '../../../language/language.ts';
import { useMoneyBlockReason } from '../../../live/store.ts';
import { ConfirmDialog } from '../../../ui/dialogs/confirm.tsx';
import { RowSkeleton } from '../../../ui/panel.tsx';
import { priceSourceWords, useMode, usePriceSource } from '../../../ui/price-source.tsx';
import { useRuleCatalogue } from '../../../ui/use-rule-catalogue.ts';

/** How often the dialog checks that its graph is still the current one: edits of a draft are no events. */
const RECHECK_MS = 2_000;

type Reviewed = Outputs['console']['blueprint'];

/** Reads the graph once and keeps it: a deploy deploys exactly the graph in this dialog, or none. */
export function DeployDialog({ blueprint, onClose }: { blueprint: Blueprint; onClose: () => void }) {
  const { id, name, version } = blueprint;
  useQuery({ ...trpc.console.blueprint.queryOptions({ id }), refetchInterval: RECHECK_MS });
  const reviewed = useQuery({
    queryKey: ['deploy-review', id],
    queryFn: () => client.console.blueprint.query({ id }),
    staleTime: 'static',
    gcTime: 0,
  });
  const mode = useMode();
  if (reviewed.data && mode) {
    const isCurrent = version <= reviewed.data.version;
    return <Facts reviewed={reviewed.data} mode={mode} isCurrent={isCurrent} onClose={onClose} />;
  }
  return (
    <ConfirmDialog
      title={t('Deploy “{name}”?', { name })}
      action={t('Deploy')}
      blocked={reviewed.error ? readProblem(reviewed.error).message : t('Loading the strategy…')}
      pending={false}
      error={reviewed.error}
      onConfirm={() => {}}
      onClose={onClose}
    >
      <RowSkeleton rows={4} height={16} />
    </ConfirmDialog>
  );
}

const CHANGED = msg(
  'It has changed meanwhile, in another tab or by a key. Close this and review the current version.',
);

type FactsProps = { reviewed: Reviewed; mode: Mode; isCurrent: boolean; onClose: () => void };

/** Before a deploy: faults, changes since the last release, instruments, and the rules in force. */
function Facts({ reviewed, mode, isCurrent, onClose }: FactsProps) {
  const { id, name, version, visual } = reviewed;
  const { title, phrase, money } = modeWords(mode);
  const moneyBlock = useMoneyBlockReason();
  const check = useQuery({
    queryKey: ['deploy-check', id, version],
    queryFn: () => client.blueprints.validate.mutate({ id, visual }),
    staleTime: 0,
    gcTime: 0,
  });
  const words = useRuleCatalogue();
  const rules = useQuery({ ...trpc.riskRules.read.queryOptions({}), staleTime: 0 });
  const run = useQuery({
    ...trpc.console.paperRun.queryOptions({ id }),
    staleTime: 0,
    enabled: mode === 'live',
  });
  const isUntried = run.data?.isMissing === true;
  const [isVouchedFor, setVouchedFor] = useState(false);
  const deploy = useMutation({
    mutationFn: (idempotencyKey: string) =>
      isUntried
        ? client.console.deployUntried.mutate({ id, version })
        : client.blueprints.deploy.mutate({ id }, { context: { idempotencyKey, ifMatch: `"v${version}"` } }),
    onSettled: () => invalidate(),
    onSuccess: () => {
      notifications.show({ message: t('{name} runs now, {phrase}.', { name, phrase }) });
      onClose();
    },
  });
  const errors = check.data?.issues.filter(({ severity }) => severity === 'error') ?? [];
  const warnings = check.data?.issues.filter(({ severity }) => severity === 'warning') ?? [];
  const unsound =
    errors.length > 0
      ? t('{count, plural, one {One problem has} other {# problems have}} to be fixed first.', {
          count: errors.length,
        })
      : null;
  const isRunKnown = mode !== 'live' || run.data !== undefined;
  const unvouched = isUntried && !isVouchedFor ? t('It has not run on paper for a day.') : null;
  const graph = readGraph(visual);
  const catalogue = useCatalogue();
  return (
    <ConfirmDialog
      title={t('Deploy “{name}” {phrase}?', { name, phrase })}
      action={t('Deploy “{name}” {phrase}', { name: shortName(name), phrase })}
      blocked={
        isCurrent || deploy.isPending
          ? (moneyBlock ??
            (check.data && rules.data && catalogue.data && isRunKnown
              ? (unsound ?? unvouched)
              : t('Validating…')))
          : t(CHANGED)
      }
      pending={deploy.isPending}
      error={deploy.error ?? check.error ?? run.error}
      onConfirm={(key) => deploy.mutate(key)}
      onClose={onClose}
    >
      <dl className="facts">
        <dt>{t('Mode')}</dt>
        <dd>
          {t('{title}: {money} at {source}', {
            title,
            money,
            source: priceSourceWords(usePriceSource()?.source),
          })}
        </dd>
        <dt>{t('Check')}</dt>
        <dd>
          {check.data && catalogue.data
            ? t('{errors} errors, {warnings} warnings in {steps} nodes', {
                errors: errors.length,
                warnings: warnings.length,
                steps: stepsOf(graph, catalogue.data),
              })
            : '—'}
        </dd>
        <dt>{t('Since last release')}</dt>
        <dd>
          <Difference id={id} graph={graph} />
        </dd>
        {catalogue.data ? <SwitchedOff graph={graph} catalogue={catalogue.data} /> : null}
        <dt>{t('Trades')}</dt>
        <dd>{catalogue.data ? <Trades graph={graph} catalogue={catalogue.data} /> : '—'}</dd>
        <dt>{t('Rules')}</dt>
        <dd>
          {rules.data
            ? words.rules
                .map(
                  ({ name: rule, title }) => `${withinWords(title)} ${words.value(rule, rules.data[rule])}`,
                )
                .join(', ')
            : '—'}
        </dd>
      </dl>
      {check.data && check.data.issues.length > 0 ? (
        <ul className="plain-list tall">
          {check.data.issues.map((issue) => (
            <li key={issue.path + issue.code} className={issue.severity === 'error' ? 'bad' : undefined}>
              {namedIssue(issue, graph)}
            </li>
          ))}
        </ul>
      ) : null}
      {run.data?.hasBothSides && isUntried ? (
        <p className="plain bad">
          {t('On paper it bought yes and no of one market. With real money the second is refused.')}
        </p>
      ) : null}
      {run.data && isUntried ? (
        <label className="row">
          <input
            type="checkbox"
            checked={isVouchedFor}
            onChange={(event) => setVouchedFor(event.currentTarget.checked)}
          />
          {t(
            'This strategy has run on paper for {longestMs} of {neededMs} hours without an error. I deploy it with real money all the same.',
            { longestMs: hours(run.data.longestMs), neededMs: hours(run.data.neededMs) },
          )}
        </label>
      ) : null}
      <p className="plain dim">
        {t('The draft is frozen as a release. Exit nodes will sell without asking you again.')}
      </p>
    </ConfirmDialog>
  );
}

const hours = (ms: number): number => Math.floor(ms / 3_600_000);

/** An issue, with the name of its node. */
function namedIssue(issue: Issue, { nodes }: EditorGraph): string {
  const ids = new Set(nodes.map(({ id }) => id));
  const node = nodes.find(({ id }) => id === graphNodeOf(ids, issue.nodeId ?? ''));
  const name = typeof node?.data.label === 'string' && node.data.label.trim() ? node.data.label : node?.id;
  const words = issueWords(issue);
  return name === undefined || words.includes(`“${name}”`) ? words : t('“{name}”: {words}', { name, words });
}

const stepsOf = ({ nodes }: EditorGraph, { notes }: Catalogue): number =>
  nodes.filter(({ type }) => !notes.has(type)).length;

/** Steps that the user switched off and may have forgotten, and the steps that are silent with them. */
function SwitchedOff({ graph, catalogue }: { graph: EditorGraph; catalogue: Catalogue }) {
  const silence = disabledNodesOf(graph, catalogue.notes);
  const off = graph.nodes.filter(({ id }) => silence.get(id) === id);
  if (off.length === 0) return null;
  const others = silence.size - off.length;
  return (
    <>
      <dt>{t('Switched off')}</dt>
      <dd>
        {t('{count, plural, one {# node is} other {# nodes are}} switched off: {names}.', {
          count: off.length,
          names: quotedNames(off.map((node) => labelOf(node, catalogue))),
        })}
        {others === 0
          ? ''
          : ` ${t('{others, plural, one {# more depends on that and does} other {# more depend on that and do}} nothing either.', { others })}`}
      </dd>
    </>
  );
}

function Trades({ graph, catalogue: { types, notes } }: { graph: EditorGraph; catalogue: Catalogue }) {
  const venues = useQuery({ ...trpc.console.venues.queryOptions({}), staleTime: Number.POSITIVE_INFINITY });
  const silence = disabledNodesOf(graph, notes);
  const tokens = graph.nodes
    .filter(({ id, type }) => types.get(type)?.trades && !silence.has(id))
    .map((node) => configOf(node)['instrument'])
    .filter((token): token is string => typeof token === 'string');
  const unique = [...new Set(tokens)];
  if (unique.length === 0) return t('nothing: it only watches');
  const venueOf = (token: string) =>
    venues.data?.find(({ tokenPattern }) => new RegExp(tokenPattern).test(token))?.id;
  return unique
    .map((token) => {
      const venue = venueOf(token);
      return venue === undefined ? tokenName(token) : `${venueTitle(venue)} ${tokenName(token)}`;
    })
    .join(', ');
}

function Difference({ id, graph }: { id: string; graph: EditorGraph }) {
  const releases = useQuery(trpc.blueprints.releases.queryOptions({ id }));
  const [last] = releases.data ?? [];
  const release = useQuery({
    ...trpc.blueprints.release.queryOptions({ id, n: last?.number ?? 1 }),
    enabled: last !== undefined,
  });
  if (!releases.data) return '—';
  if (!last) return t('first release');
  if (!release.data) return '—';
  return changeWords(readGraph(release.data.visual), graph, last.number);
}

function changeWords(before: EditorGraph, after: EditorGraph, number: number): string {
  const old = new Map(before.nodes.map((node) => [node.id, JSON.stringify([node.type, configOf(node)])]));
  const added = after.nodes.filter(({ id }) => !old.has(id)).length;
  const now = new Set(after.nodes.map(({ id }) => id));
  const removed = before.nodes.filter(({ id }) => !now.has(id)).length;
  const changed = after.nodes.filter(
    (node) => old.has(node.id) && old.get(node.id) !== JSON.stringify([node.type, configOf(node)]),
  ).length;
  const offOf = ({ nodes }: EditorGraph) => new Set(nodes.filter(isDisabled).map(({ id }) => id));
  const [offBefore, offNow] = [offOf(before), offOf(after)];
  const switchedOff = [...offNow].filter((id) => old.has(id) && !offBefore.has(id)).length;
  const switchedOn = [...offBefore].filter((id) => now.has(id) && !offNow.has(id)).length;
  const edges = (graph: EditorGraph) =>
    graph.edges
      .map(({ source, target, targetHandle }) => `${source} ${target} ${targetHandle}`)
      .sort()
      .join();
  const parts = [
    ...(added > 0 ? [t('{added} nodes added', { added })] : []),
    ...(removed > 0 ? [t('{removed} removed', { removed })] : []),
    ...(changed > 0 ? [t('{changed} with other settings', { changed })] : []),
    ...(switchedOff > 0 ? [t('{switchedOff} switched off', { switchedOff })] : []),
    ...(switchedOn > 0 ? [t('{switchedOn} switched on', { switchedOn })] : []),
    ...(edges(before) === edges(after) ? [] : [t('other connections')]),
  ];
  return t('{changes} (release {number})', {
    changes: parts.length === 0 ? t('nothing changed') : parts.join(', '),
    number,
  });
}
