import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { RiskRules, Rule, RuleCatalogue } from '../../api/row-types.ts';
import { type Outputs, trpc } from '../../api/trpc.ts';
import type { RuleWords } from '../../format/rule-words.ts';
import { actorWords } from '../../format/trading/audit.ts';
import { t } from '../../language/language.ts';
import { Curl, curl } from '../../ui/copy.tsx';
import { PageHead, Panel, RowSkeleton } from '../../ui/panel.tsx';
import { ProblemNotice } from '../../ui/problem.tsx';
import { Meter } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';
import { useRuleCatalogue } from '../../ui/use-rule-catalogue.ts';
import { LimitRow, LimitsPanel, limitFault } from './limits.tsx';
import { OptionalRulesPanel } from './optional.tsx';
import { RuleChangesDialog } from './rule-changes-dialog.tsx';

type RuleName = keyof RiskRules;
/** Typed values that are not saved, by rule. */
type Edits = { [name in RuleName]?: string };

const faultOf = ({ isWhole }: Rule, typed: string): string | null => limitFault(typed, isWhole);

const unsaved = (edits: Edits, saved: RiskRules): Edits =>
  Object.fromEntries(
    Object.entries(edits).filter(([name, typed]) => Number(typed) !== saved[name as RuleName]),
  );

export function RiskPage() {
  const rules = useQuery(trpc.riskRules.read.queryOptions({}));
  return (
    <div className="page">
      <PageHead title={t('Risk')} />
      {rules.error && !rules.data ? (
        <ProblemNotice error={rules.error} retry={() => void rules.refetch()} />
      ) : null}
      {rules.data ? <Editor limits={rules.data} /> : <RowSkeleton rows={6} height={44} />}
      <OptionalRulesPanel />
      <Panel title={t('As a command')}>
        <Curl command={curl('PUT', '/api/risk-rules', { maxOrderSize: 80 })} />
      </Panel>
    </div>
  );
}

function Editor({ limits }: { limits: RiskRules }) {
  const { rules } = useRuleCatalogue();
  const usage = useQuery({ ...trpc.riskRules.usage.queryOptions({}), refetchInterval: 10_000 });
  const [edits, setEdits] = useState<Edits>({});
  const [reviewing, setReviewing] = useState(false);
  const saved = JSON.stringify(limits);
  // Drops edits that equal the saved rules. Others stay, whichever session changed the rules meanwhile.
  useEffect(() => setEdits((now) => unsaved(now, JSON.parse(saved) as RiskRules)), [saved]);
  const typedOf = ({ name }: Rule): string => edits[name] ?? String(limits[name]);
  const changed = rules.filter(
    (rule) => Number(typedOf(rule)) !== limits[rule.name] || faultOf(rule, typedOf(rule)),
  );
  const faulty = rules.some((rule) => faultOf(rule, typedOf(rule)));
  return (
    <>
      <LimitsPanel
        title={t('Rules')}
        reviewWords={(count) => t('Review {count, plural, one {# change} other {# changes}}…', { count })}
        changed={changed.length}
        isFaulty={faulty}
        onUndo={() => setEdits({})}
        onReview={() => setReviewing(true)}
      >
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
      </LimitsPanel>
      <LastChanges />
      {reviewing ? (
        <RuleChangesDialog
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
  const words = useRuleCatalogue();
  const fault = faultOf(rule, typed);
  return (
    <LimitRow
      id={`rule-${rule.name}`}
      rule={rule}
      typed={typed}
      fault={fault}
      was={Number(typed) === value ? null : words.value(rule.name, value)}
      onType={onType}
    >
      <div className="rule-usage">
        {line && line.used !== null ? (
          <>
            <Meter used={line.used} limit={line.limit} label={t('{title} used', { title: rule.title })} />
            <span className="small dim">
              {t('{name} of {name2} now', {
                name: words.value(rule.name, line.used),
                name2: words.value(rule.name, line.limit),
              })}
            </span>
          </>
        ) : (
          <span className="small dim">{t('measured on each order')}</span>
        )}
      </div>
    </LimitRow>
  );
}

function LastChanges() {
  const words = useRuleCatalogue();
  const audit = useQuery(trpc.audit.list.queryOptions({ limit: 100 }));
  const rows = audit.data?.filter(({ action }) => action === 'risk_rules.changed').slice(0, 5) ?? [];
  if (rows.length === 0) return null;
  return (
    <Panel title={t('Last changes')} flush>
      <ul className="list">
        {rows.map((row) => (
          <li key={row.id} className="row apart">
            <span>
              {changeWords(row.before, row.after, words)}{' '}
              <span className="dim">{t('by {actor}', { actor: actorWords(row.actor) })}</span>
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
  const write = (name: string, limit: number | null) => (limit === null ? t('off') : value(name, limit));
  return [...rules, ...optional]
    .filter(({ name }) => read(before, name) !== read(after, name))
    .map(
      ({ name, title }) => `${title} ${write(name, read(before, name))} → ${write(name, read(after, name))}`,
    )
    .join(', ');
}
