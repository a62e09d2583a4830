import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { RiskRules } from '../../api/rows.ts';
import { type Outputs, trpc } from '../../api/trpc.ts';
import { actorWords } from '../../format/audit.ts';
import { RULES, type Rule, type RuleName, ruleValue } from '../../format/rules.ts';
import { Curl, curl } from '../../ui/copy.tsx';
import { PageHead, Panel, RowSkeleton } from '../../ui/panel.tsx';
import { ProblemNotice } from '../../ui/problem.tsx';
import { Meter } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';
import { ReviewDialog } from './review.tsx';

type Draft = Record<RuleName, string>;

const WHOLE: ReadonlySet<RuleName> = new Set([
  'maxOpenPositions',
  'maxOrdersPerMinute',
  'cooldownAfterLossSec',
]);

/** Why a typed limit cannot be one, or null. */
function faultOf(name: RuleName, typed: string): string | null {
  if (!/^\d+(\.\d+)?$/.test(typed.trim())) return 'Enter 0 or more.';
  return WHOLE.has(name) && typed.includes('.') ? 'A whole number.' : null;
}

const draftOf = (rules: RiskRules): Draft =>
  Object.fromEntries(RULES.map(({ name }) => [name, String(rules[name])])) as Draft;

const unsaved = (edits: Partial<Draft>, rules: RiskRules): Partial<Draft> =>
  Object.fromEntries(
    RULES.flatMap(({ name }) => {
      const typed = edits[name];
      return typed === undefined || Number(typed) === rules[name] ? [] : [[name, typed]];
    }),
  );

export function RiskPage() {
  const rules = useQuery(trpc.riskRules.read.queryOptions({}));
  return (
    <div className="page">
      <PageHead title="Risk" />
      {rules.error && !rules.data ? (
        <ProblemNotice error={rules.error} retry={() => void rules.refetch()} />
      ) : null}
      {rules.data ? <Editor rules={rules.data} /> : <RowSkeleton rows={6} height={44} />}
      <Panel title="As a command">
        <Curl command={curl('PUT', '/api/risk-rules', { maxOrderSize: 80 })} />
      </Panel>
    </div>
  );
}

function Editor({ rules }: { rules: RiskRules }) {
  const usage = useQuery({ ...trpc.riskRules.usage.queryOptions({}), refetchInterval: 10_000 });
  const [edits, setEdits] = useState<Partial<Draft>>({});
  const [reviewing, setReviewing] = useState(false);
  const saved = JSON.stringify(rules);
  // An edit that is saved now is none any more. Others stay, whoever changed what meanwhile.
  useEffect(() => setEdits((now) => unsaved(now, JSON.parse(saved) as RiskRules)), [saved]);
  const draft: Draft = { ...draftOf(rules), ...edits };
  const changed = RULES.filter(
    ({ name }) => Number(draft[name]) !== rules[name] || faultOf(name, draft[name]),
  );
  const faulty = RULES.some(({ name }) => faultOf(name, draft[name]));
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
          {RULES.map((rule) => (
            <RuleRow
              key={rule.name}
              rule={rule}
              value={rules[rule.name]}
              typed={draft[rule.name]}
              line={usage.data?.lines.find((line) => line.rule === rule.name)}
              onType={(typed) => setEdits((now) => ({ ...now, [rule.name]: typed }))}
            />
          ))}
        </ul>
      </Panel>
      <LastChanges />
      {reviewing ? (
        <ReviewDialog
          before={rules}
          changes={changed.map((rule) => ({ rule, to: Number(draft[rule.name]) }))}
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
  const fault = faultOf(rule.name, typed);
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
              {ruleValue(rule.name, line.used)} of {ruleValue(rule.name, line.limit)} now
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
            className="text-input num"
            style={{ width: 120 }}
            inputMode="decimal"
            autoComplete="off"
            value={typed}
            aria-invalid={fault ? true : undefined}
            aria-describedby={`${id}-help`}
            onChange={(event) => onType(event.currentTarget.value)}
          />
          <span className="dim small" style={{ width: 76 }}>
            {rule.unit}
          </span>
        </span>
        {fault ? <span className="error">{fault}</span> : null}
        {changed ? <span className="hint">was {ruleValue(rule.name, value)}</span> : null}
      </div>
    </li>
  );
}

function LastChanges() {
  const audit = useQuery(trpc.audit.list.queryOptions({ limit: 100 }));
  const rows = audit.data?.filter(({ action }) => action === 'risk_rules.changed').slice(0, 5) ?? [];
  if (rows.length === 0) return null;
  return (
    <Panel title="Last changes" flush>
      <ul className="list">
        {rows.map((row) => (
          <li key={row.id} className="row apart">
            <span>
              {changeWords(row.before, row.after)} <span className="dim">by {actorWords(row.actor)}</span>
            </span>
            <Time at={row.at} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function changeWords(before: unknown, after: unknown): string {
  const read = (rules: unknown, name: string): number | null => {
    if (typeof rules !== 'object' || rules === null) return null;
    const entry = Object.entries(rules).find(([key]) => key === name);
    return entry === undefined ? null : Number(entry[1]);
  };
  return RULES.filter(({ name }) => read(before, name) !== read(after, name))
    .map(
      ({ name, title }) =>
        `${title} ${ruleValue(name, read(before, name))} → ${ruleValue(name, read(after, name))}`,
    )
    .join(', ');
}
