import { Switch } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { OptionalRule, OptionalRules } from '../../api/row-types.ts';
import { queryClient, trpc } from '../../api/trpc.ts';
import { optionalChange } from '../../format/rule-words.ts';
import { t } from '../../language/language.ts';
import { RowSkeleton } from '../../ui/panel.tsx';
import { ProblemNotice } from '../../ui/problem.tsx';
import { useRuleCatalogue } from '../../ui/use-rule-catalogue.ts';
import { LimitChangesDialog, notifyRulesSaved } from './limit-changes-dialog.tsx';
import { LimitRow, LimitsPanel, limitFault } from './limits.tsx';

/** Typed values by rule: a text is a limit, null is off. */
type Edits = { [name in OptionalRule['name']]?: string | null };

const limitOf = (typed: string | null): number | null => (typed === null ? null : Number(typed));
const faultOf = (typed: string | null): string | null => (typed === null ? null : limitFault(typed, false));

/** The limits beyond the six, each off until the user sets it. */
export function OptionalRulesPanel() {
  const saved = useQuery(trpc.riskRules.readOptional.queryOptions({}));
  const { optional } = useRuleCatalogue();
  const [edits, setEdits] = useState<Edits>({});
  const [reviewing, setReviewing] = useState(false);
  const { data } = saved;
  if (saved.error && !data) return <ProblemNotice error={saved.error} retry={() => void saved.refetch()} />;
  if (!data) return <RowSkeleton rows={4} height={44} />;
  const typedOf = (name: OptionalRule['name']): string | null => {
    const edit = edits[name];
    if (edit !== undefined) return edit;
    return data[name] === null ? null : String(data[name]);
  };
  const changed = optional.filter(({ name }) => limitOf(typedOf(name)) !== data[name]);
  return (
    <>
      <LimitsPanel
        title={t('Optional rules')}
        reviewWords={(count) =>
          t('Review {count, plural, one {# optional change} other {# optional changes}}…', { count })
        }
        changed={changed.length}
        isFaulty={optional.some(({ name }) => faultOf(typedOf(name)) !== null)}
        onUndo={() => setEdits({})}
        onReview={() => setReviewing(true)}
      >
        {optional.map((rule) => (
          <OptionalRow
            key={rule.name}
            rule={rule}
            saved={data[rule.name]}
            typed={typedOf(rule.name)}
            onType={(typed) => setEdits((now) => ({ ...now, [rule.name]: typed }))}
          />
        ))}
      </LimitsPanel>
      {reviewing ? (
        <OptionalRuleChangesDialog
          before={data}
          changes={changed.map((rule) => ({ rule, to: limitOf(typedOf(rule.name)) }))}
          onSaved={() => setEdits({})}
          onClose={() => setReviewing(false)}
        />
      ) : null}
    </>
  );
}

type RowProps = {
  rule: OptionalRule;
  saved: number | null;
  typed: string | null;
  onType: (typed: string | null) => void;
};

function OptionalRow({ rule, saved, typed, onType }: RowProps) {
  const write = useWritten();
  const isOn = typed !== null;
  return (
    <LimitRow
      id={`optional-${rule.name}`}
      rule={rule}
      typed={typed}
      fault={faultOf(typed)}
      was={limitOf(typed) === saved ? null : write(rule.name, saved)}
      onType={onType}
    >
      <Switch
        checked={isOn}
        label={isOn ? t('on') : t('off')}
        aria-label={t('{title} is on', { title: rule.title })}
        onChange={(event) => onType(event.currentTarget.checked ? String(saved ?? '') : null)}
      />
    </LimitRow>
  );
}

/** A limit in words; a missing one is off. */
function useWritten(): (name: string, limit: number | null) => string {
  const words = useRuleCatalogue();
  return (name, limit) => (limit === null ? 'off' : words.value(name, limit));
}

type OptionalRuleChangesProps = {
  before: OptionalRules;
  changes: readonly { rule: OptionalRule; to: number | null }[];
  onSaved: () => void;
  onClose: () => void;
};

function OptionalRuleChangesDialog({ before, changes, onSaved, onClose }: OptionalRuleChangesProps) {
  const write = useWritten();
  const save = useMutation(
    trpc.riskRules.updateOptional.mutationOptions({
      onSuccess: (saved) => {
        queryClient.setQueryData(trpc.riskRules.readOptional.queryKey({}), saved);
        notifyRulesSaved();
        onSaved();
        onClose();
      },
    }),
  );
  return (
    <LimitChangesDialog
      lines={changes.map(({ rule: { name, title }, to }) => ({
        name,
        title,
        before: write(name, before[name]),
        after: write(name, to),
        isLooser: optionalChange(before[name], to) === 'looser',
      }))}
      pending={save.isPending}
      error={save.error}
      onSave={() => save.mutate(Object.fromEntries(changes.map(({ rule, to }) => [rule.name, to])))}
      onClose={onClose}
    >
      <p className="plain dim">
        {t('From the next decision on, for buys alone: no sell is blocked by these.')}
      </p>
    </LimitChangesDialog>
  );
}
