import { Button, Switch } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { OptionalRule, OptionalRules } from '../../api/rows.ts';
import { queryClient, readAgain, trpc } from '../../api/trpc.ts';
import { optionalChange, reviewWords } from '../../format/rule-words.ts';
import { ConfirmDialog } from '../../ui/confirm.tsx';
import { Panel, RowSkeleton } from '../../ui/panel.tsx';
import { ProblemNotice } from '../../ui/problem.tsx';
import { useRules } from '../../ui/use-rules.ts';

/** What is typed by rule: a text is a limit, null is off. */
type Edits = { [name in OptionalRule['name']]?: string | null };

const limitOf = (typed: string | null): number | null => (typed === null ? null : Number(typed));

const faultOf = (typed: string | null): string | null =>
  typed === null || /^\d+(\.\d+)?$/.test(typed.trim()) ? null : 'Enter 0 or more.';

/** Limits beyond the six, each off until somebody sets it. */
export function OptionalRulesPanel() {
  const saved = useQuery(trpc.riskRules.readOptional.queryOptions({}));
  const { optional } = useRules();
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
  const isFaulty = optional.some(({ name }) => faultOf(typedOf(name)) !== null);
  return (
    <Panel
      title="Optional rules"
      flush
      actions={
        <>
          <Button variant="default" disabled={changed.length === 0} onClick={() => setEdits({})}>
            Undo
          </Button>
          <Button disabled={changed.length === 0 || isFaulty} onClick={() => setReviewing(true)}>
            Review {changed.length === 1 ? '1 optional change' : `${changed.length} optional changes`}…
          </Button>
        </>
      }
    >
      <ul className="list">
        {optional.map((rule) => (
          <OptionalRow
            key={rule.name}
            rule={rule}
            saved={data[rule.name]}
            typed={typedOf(rule.name)}
            onType={(typed) => setEdits((now) => ({ ...now, [rule.name]: typed }))}
          />
        ))}
      </ul>
      {reviewing ? (
        <ReviewOptional
          before={data}
          changes={changed.map((rule) => ({ rule, to: limitOf(typedOf(rule.name)) }))}
          onSaved={() => setEdits({})}
          onClose={() => setReviewing(false)}
        />
      ) : null}
    </Panel>
  );
}

type RowProps = {
  rule: OptionalRule;
  saved: number | null;
  typed: string | null;
  onType: (typed: string | null) => void;
};

function OptionalRow({ rule, saved, typed, onType }: RowProps) {
  const words = useRules();
  const fault = faultOf(typed);
  const isOn = typed !== null;
  const id = `optional-${rule.name}`;
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
      <Switch
        checked={isOn}
        label={isOn ? 'on' : 'off'}
        aria-label={`${rule.title} is on`}
        onChange={(event) => onType(event.currentTarget.checked ? String(saved ?? '') : null)}
      />
      <div className="field">
        <span className="row tight">
          <input
            id={id}
            className="text-input num limit-input"
            inputMode="decimal"
            autoComplete="off"
            disabled={!isOn}
            value={typed ?? ''}
            aria-invalid={fault ? true : undefined}
            aria-describedby={`${id}-help`}
            onChange={(event) => onType(event.currentTarget.value)}
          />
          <span className="dim small limit-unit">{rule.unit}</span>
        </span>
        {fault ? <span className="error">{fault}</span> : null}
        {limitOf(typed) !== saved && !fault ? (
          <span className="hint">was {saved === null ? 'off' : words.value(rule.name, saved)}</span>
        ) : null}
      </div>
    </li>
  );
}

type Change = { rule: OptionalRule; to: number | null };
type ReviewProps = {
  before: OptionalRules;
  changes: readonly Change[];
  onSaved: () => void;
  onClose: () => void;
};

/** What changes, and in which direction. A limit taken away or raised takes one step more. */
function ReviewOptional({ before, changes, onSaved, onClose }: ReviewProps) {
  const words = useRules();
  const loosened = changes.filter(
    ({ rule, to }) => optionalChange(before[rule.name], to) === 'looser',
  ).length;
  const what = reviewWords(loosened, changes.length - loosened);
  const write = (name: string, limit: number | null) => (limit === null ? 'off' : words.value(name, limit));
  const save = useMutation(
    trpc.riskRules.updateOptional.mutationOptions({
      onSuccess: (saved) => {
        queryClient.setQueryData(trpc.riskRules.readOptional.queryKey({}), saved);
        readAgain(trpc.riskRules.pathFilter());
        readAgain(trpc.audit.pathFilter());
        notifications.show({ message: 'Saved. It applies from the next decision on.' });
        onSaved();
        onClose();
      },
    }),
  );
  return (
    <ConfirmDialog
      title={`${what}?`}
      action={what}
      danger={loosened > 0}
      typeToConfirm={loosened > 0 ? 'loosen' : undefined}
      pending={save.isPending}
      error={save.error}
      onConfirm={() => save.mutate(Object.fromEntries(changes.map(({ rule, to }) => [rule.name, to])))}
      onClose={onClose}
    >
      <table className="rows">
        <thead>
          <tr>
            <th>Rule</th>
            <th className="num">Now</th>
            <th className="num">Then</th>
            <th>Effect</th>
          </tr>
        </thead>
        <tbody>
          {changes.map(({ rule, to }) => (
            <tr key={rule.name}>
              <td>{rule.title}</td>
              <td className="num">{write(rule.name, before[rule.name])}</td>
              <td className="num">{write(rule.name, to)}</td>
              <td>
                {optionalChange(before[rule.name], to) === 'looser' ? (
                  <span className="warn">looser</span>
                ) : (
                  'stricter'
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="plain dim">From the next decision on, for buys alone: no sell is blocked by these.</p>
    </ConfirmDialog>
  );
}
