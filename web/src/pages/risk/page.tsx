import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { RiskRules, Rule, RuleCatalogue } from '../../api/rows.ts';
import { type Outputs, trpc } from '../../api/trpc.ts';
import { actorWords } from '../../format/audit.ts';
import type { RuleWords } from '../../format/rule-words.ts';
import { Curl, curl } from '../../ui/copy.tsx';
import { PageHead, Panel, RowSkeleton } from '../../ui/panel.tsx';
import { ProblemNotice } from '../../ui/problem.tsx';
import { Meter } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';
import { useRules } from '../../ui/use-rules.ts';
import { OptionalRulesPanel } from './optional.tsx';
import { ReviewDialog } from './review.tsx';

type RuleName = keyof RiskRules;
/** What is typed and not saved, by rule. */
type Edits = { [name in RuleName]?: string };

/** Why a typed limit cannot be one, or null. */
function faultOf({ isWhole }: Rule, typed: string): string | null {
  if (!/^\d+(\.\d+)?$/.test(typed.trim())) return 'Enter 0 or more.';
  return isWhole && typed.includes('.') ? 'A whole number.' : null;
}

const unsaved = (edits: Edits, saved: RiskRules): Edits =>
  Object.fromEntries(
    Object.entries(edits).filter(([name, typed]) => Number(typed) !== saved[name as RuleName]),
  );

export function RiskPage() {
  const rules = useQuery(trpc.riskRules.read.queryOptions({}));
  return (
    <div className="page">
      <PageHead title="Risk" />
      {rules.error && !rules.data ? (
        <ProblemNotice error={rules.error} retry={() => void rules.refetch()} />
      ) : null}
      {rules.data ? <Editor limits={rules.data} /> : <RowSkeleton rows={6} height={44} />}
      <OptionalRulesPanel />
      <Panel title="As a command">
        <Curl command={curl('PUT', '/api/risk-rules', { maxOrderSize: 80 })} />
      </Panel>
    </div>
  );
}

function Editor({ limits }: { limits: RiskRules }) {
  const { rules } = useRules();
  const usage = useQuery({ ...trpc.riskRules.usage.queryOptions({}), refetchInterval: 10_000 });
  const [edits, setEdits] = useState<Edits>({});
  const [reviewing, setReviewing] = useState(false);
  const saved = JSON.stringify(limits);
  // An edit that is saved now is none any more. Others stay, whoever changed what meanwhile.
  useEffect(() => setEdits((now) => unsaved(now, JSON.parse(saved) as RiskRules)), [saved]);
  const typedOf = ({ name }: Rule): string => edits[name] ?? String(limits[name]);
  const changed = rules.filter(
    (rule) => Number(typedOf(rule)) !== limits[rule.name] || faultOf(rule, typedOf(rule)),
  );
  const faulty = rules.some((rule) => faultOf(rule, typedOf(rule)));
  return (
    <>
      <Panel
        title="Rules"
        flush
        actions={
          <>
            <Button variant="default" disabled={changed.length === 0} onClick={() => setEdits({})}>
              Undo
            </Button>
            <Button disabled={changed.length === 0 || faulty} onClick={() => setReviewing(true)}>
              Review {changed.length === 1 ? '1 change' : `${changed.length} changes`}…
            </Button>
          </>
        }
      >
        <ul className="list">
          {rules.map((rule) => (
            <RuleRow
              key={rule.name}
              rule={rule}
              value={limits[rule.name]}
              typed={typedOf(rule)}
              line={usage.data?.lines.find((line) => line.rule === rule.name)}
              onType={(typed) => setEdits((now) => ({ ...now, [rule.name]: typed }))}
            />
          ))}
        </ul>
      </Panel>
      <LastChanges />
      {reviewing ? (
        <ReviewDialog
          before={limits}
          changes={changed.map((rule) => ({ rule, to: Number(typedOf(rule)) }))}
          onClose={() => setReviewing(false)}
        />
      ) : null}
    </>
  );
}

type UsageLine = Outputs['riskRules']['usage']['lines'][number];

type RuleRowProps = {
  rule: Rule;
  value: number;
  typed: string;
  line: UsageLine | undefined;
  onType: (typed: string) => void;
};

function RuleRow({ rule, value, typed, line, onType }: RuleRowProps) {
  const words = useRules();
  const fault = faultOf(rule, typed);
  const changed = fault === null && Number(typed) !== value;
  const id = `rule-${rule.name}`;
  return (
    <li className="rule-row">
      <div>
        <label htmlFor={id}>
          <strong>{rule.title}</strong>
        </label>
        <div className="dim small" id={`${id}-help`}>
          {rule.help}
        </div>
      </div>
      <div className="rule-usage">
        {line && line.used !== null ? (
          <>
            <Meter used={line.used} limit={line.limit} label={`${rule.title} used`} />
            <span className="small dim">
              {words.value(rule.name, line.used)} of {words.value(rule.name, line.limit)} now
            </span>
          </>
        ) : (
          <span className="small dim">measured on each order</span>
        )}
      </div>
      <div className="field">
        <span className="row tight">
          <input
            id={id}
            className="text-input num limit-input"
            inputMode="decimal"
            autoComplete="off"
            value={typed}
            aria-invalid={fault ? true : undefined}
            aria-describedby={`${id}-help`}
            onChange={(event) => onType(event.currentTarget.value)}
          />
          <span className="dim small limit-unit">{rule.unit}</span>
        </span>
        {fault ? <span className="error">{fault}</span> : null}
        {changed ? <span className="hint">was {words.value(rule.name, value)}</span> : null}
      </div>
    </li>
  );
}

function LastChanges() {
  const words = useRules();
  const audit = useQuery(trpc.audit.list.queryOptions({ limit: 100 }));
  const rows = audit.data?.filter(({ action }) => action === 'risk_rules.changed').slice(0, 5) ?? [];
  if (rows.length === 0) return null;
  return (
    <Panel title="Last changes" flush>
      <ul className="list">
        {rows.map((row) => (
          <li key={row.id} className="row apart">
            <span>
              {changeWords(row.before, row.after, words)}{' '}
              <span className="dim">by {actorWords(row.actor)}</span>
            </span>
            <Time at={row.at} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

type Written = Pick<RuleCatalogue, 'rules' | 'optional'> & Pick<RuleWords, 'value'>;

function changeWords(before: unknown, after: unknown, { rules, optional, value }: Written): string {
  const read = (rules: unknown, name: string): number | null => {
    if (typeof rules !== 'object' || rules === null) return null;
    const entry = Object.entries(rules).find(([key]) => key === name);
    return entry === undefined || entry[1] === null ? null : Number(entry[1]);
  };
  const write = (name: string, limit: number | null) => (limit === null ? 'off' : value(name, limit));
  return [...rules, ...optional]
    .filter(({ name }) => read(before, name) !== read(after, name))
    .map(
      ({ name, title }) => `${title} ${write(name, read(before, name))} → ${write(name, read(after, name))}`,
    )
    .join(', ');
}
