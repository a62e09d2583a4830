import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { Blueprint } from '../../../api/row-types.ts';
import { trpc } from '../../../api/trpc.ts';
import { readGraph } from '../../../editor/drawing/json.ts';
import { useCatalogue } from '../../../editor/use-catalogue.ts';
import { t } from '../../../language/language.ts';
import { Labelled } from '../../../ui/fields/labelled.tsx';
import { onDemand } from '../../../ui/help/on-demand.tsx';
import { Panel, RowSkeleton } from '../../../ui/panel.tsx';
import { ProblemNotice } from '../../../ui/problem.tsx';

const CompareCanvas = onDemand(
  async () => (await import('../../../editor/compare-canvas.tsx')).CompareCanvas,
  () => <RowSkeleton rows={8} height={50} />,
);

/** The draft, or a release by its number. */
type Side = 'draft' | number;

type CompareProps = { blueprint: Blueprint; numbers: readonly number[] };

/** Two releases, or a release and the draft, on one canvas with their differences. Read-only. */
export function ComparePanel({ blueprint, numbers }: CompareProps) {
  const [newest = 1] = numbers;
  const [before, setBefore] = useState<Side>(numbers[1] ?? newest);
  const [after, setAfter] = useState<Side>(numbers.length > 1 ? newest : 'draft');
  const catalogue = useCatalogue();
  const [one, other] = [useGraphOf(blueprint, before), useGraphOf(blueprint, after)];
  const error = one.error ?? other.error;
  return (
    <Panel title={t('What changed')}>
      <div className="stack">
        <div className="row">
          <SideSelect label={t('From')} value={before} numbers={numbers} onChange={setBefore} />
          <SideSelect label={t('To')} value={after} numbers={numbers} onChange={setAfter} />
        </div>
        {error ? <ProblemNotice error={error} /> : null}
        {one.data && other.data && catalogue.data ? (
          <CompareCanvas
            key={`${before} ${after}`}
            before={readGraph(one.data.visual)}
            after={readGraph(other.data.visual)}
            catalogue={catalogue.data}
          />
        ) : error ? null : (
          <RowSkeleton rows={8} height={50} />
        )}
      </div>
    </Panel>
  );
}

function useGraphOf({ id, visual }: Blueprint, side: Side) {
  const release = useQuery({
    ...trpc.blueprints.release.queryOptions({ id, n: side === 'draft' ? 1 : side }),
    enabled: side !== 'draft',
  });
  return side === 'draft' ? { data: { visual }, error: null } : release;
}

type SelectProps = { label: string; value: Side; numbers: readonly number[]; onChange: (side: Side) => void };

const SideSelect = ({ label, value, numbers, onChange }: SelectProps) => {
  const id = useId();
  return (
    <Labelled id={id} label={label}>
      <select
        id={id}
        className="text-input"
        value={value}
        onChange={({ currentTarget: { value: next } }) => onChange(next === 'draft' ? 'draft' : Number(next))}
      >
        <option value="draft">{t('Draft')}</option>
        {numbers.map((number) => (
          <option key={number} value={number}>
            {t('Release {number}', { number: String(number) })}
          </option>
        ))}
      </select>
    </Labelled>
  );
};
