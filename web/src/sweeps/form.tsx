import { Button } from '@mantine/core';
import { Plus, X } from 'lucide-react';
import { useId } from 'react';
import { t } from '../language/language.ts';
import { Trans } from '../language/trans.tsx';
import { Labelled } from '../ui/fields/labelled.tsx';
import { OBJECTIVES } from './figures.ts';
import {
  DIMENSIONS_MAX,
  type DimensionForm,
  dimensionOf,
  type SweepFaults,
  type SweepForm,
  valueCount,
} from './form-values.ts';
import { type Parameter, scalarWords, suggestedParameters } from './parameters.ts';

type FormProps = {
  form: SweepForm;
  faults: SweepFaults;
  parameters: readonly Parameter[];
  onChange: (change: Partial<SweepForm>) => void;
};

/** The parameters and their values. */
export function ParameterFields({ form, faults, parameters, onChange }: FormProps) {
  const { dimensions } = form;
  const free = parameters.filter(({ pointer }) => !dimensions.some((each) => each.pointer === pointer));
  const [next] = free;
  const change = (index: number, other: DimensionForm) =>
    onChange({ dimensions: dimensions.with(index, other) });
  return (
    <div className="stack">
      {dimensions.map((dimension, index) => (
        <DimensionFields
          key={dimension.pointer}
          dimension={dimension}
          fault={faults.dimensions[index] ?? null}
          // The parameter itself, and those without values yet.
          parameters={parameters.filter((each) => each.pointer === dimension.pointer || free.includes(each))}
          onChange={(other) => change(index, other)}
          onRemove={() => onChange({ dimensions: dimensions.toSpliced(index, 1) })}
        />
      ))}
      <div className="row">
        <Button
          type="button"
          variant="default"
          leftSection={<Plus size={14} aria-hidden />}
          disabled={!next || dimensions.length >= DIMENSIONS_MAX}
          onClick={() => next && onChange({ dimensions: [...dimensions, dimensionOf(next)] })}
        >
          {t('Add a parameter')}
        </Button>
        {dimensions.length === 0
          ? suggestedParameters(parameters).map((parameter) => (
              <Button
                key={parameter.pointer}
                type="button"
                variant="default"
                onClick={() => onChange({ dimensions: [dimensionOf(parameter)] })}
              >
                {t('Vary {name}', { name: parameter.name })}
              </Button>
            ))
          : null}
        {parameters.length === 0 ? (
          <span className="dim small">{t('The draft has no number, switch or choice to try.')}</span>
        ) : null}
      </div>
      <ConstraintFields form={form} faults={faults} parameters={parameters} onChange={onChange} />
    </div>
  );
}

type DimensionProps = {
  dimension: DimensionForm;
  fault: string | null;
  parameters: readonly Parameter[];
  onChange: (other: DimensionForm) => void;
  onRemove: () => void;
};

function DimensionFields({ dimension, fault, parameters, onChange, onRemove }: DimensionProps) {
  const { pointer, kind } = dimension;
  const id = useId();
  const chosen = parameters.find((each) => each.pointer === pointer);
  const name = chosen?.name ?? pointer;
  const count = valueCount(dimension);
  const isNumber = typeof chosen?.value === 'number';
  const text = (field: 'from' | 'to' | 'step' | 'values', label: string) => (
    <div className={field === 'values' ? 'field wide' : 'field'}>
      <label htmlFor={`${id}-${field}`}>
        {label}
        <span className="sr"> {t('of {name}', { name })}</span>
      </label>
      <input
        id={`${id}-${field}`}
        className="text-input"
        autoComplete="off"
        inputMode={isNumber && field !== 'values' ? 'decimal' : undefined}
        value={dimension[field]}
        aria-invalid={fault ? true : undefined}
        aria-describedby={fault ? `${id}-fault` : undefined}
        onChange={(event) => onChange({ ...dimension, [field]: event.currentTarget.value })}
      />
    </div>
  );
  return (
    <fieldset className="dimension" data-dimension={pointer}>
      <legend className="sr">{name}</legend>
      <div className="form-grid">
        <div className="field wide">
          <label htmlFor={`${id}-of`}>
            <Trans
              message="Parameter {now}"
              values={{
                now: chosen ? (
                  <span className="dim">{t('(now {value})', { value: scalarWords(chosen.value) })}</span>
                ) : null,
              }}
            />
          </label>
          <select
            id={`${id}-of`}
            className="text-input"
            value={pointer}
            onChange={(event) => {
              const other = parameters.find((each) => each.pointer === event.currentTarget.value);
              if (other) onChange(dimensionOf(other));
            }}
          >
            {chosen ? null : <option value={pointer}>{t('{pointer}, not in the draft', { pointer })}</option>}
            {parameters.map((each) => (
              <option key={each.pointer} value={each.pointer}>
                {each.name}
              </option>
            ))}
          </select>
        </div>
        {isNumber ? (
          <div className="field">
            <label htmlFor={`${id}-kind`}>
              <Trans message="Tried with{span}" values={{ span: <span className="sr">, {name}</span> }} />
            </label>
            <select
              id={`${id}-kind`}
              className="text-input"
              value={kind}
              onChange={(event) =>
                onChange({ ...dimension, kind: event.currentTarget.value === 'list' ? 'list' : 'range' })
              }
            >
              <option value="range">{t('A range')}</option>
              <option value="list">{t('A list')}</option>
            </select>
          </div>
        ) : null}
        {kind === 'range' ? (
          <>
            {text('from', t('From'))}
            {text('to', t('To'))}
            {text('step', t('In steps of'))}
          </>
        ) : (
          text('values', t('Values, with commas between'))
        )}
      </div>
      <div className="row apart">
        {fault ? (
          <span className="error" id={`${id}-fault`}>
            {fault}
          </span>
        ) : (
          <span className="dim small">
            {count} {count === 1 ? t('value') : t('values')}
          </span>
        )}
        <Button type="button" variant="subtle" leftSection={<X size={14} aria-hidden />} onClick={onRemove}>
          <Trans message="Remove{span}" values={{ span: <span className="sr"> {name}</span> }} />
        </Button>
      </div>
    </fieldset>
  );
}

/** Keeps one number below another: a fast average that is slower than the slow one is meaningless. */
function ConstraintFields({ form, faults, parameters, onChange }: FormProps) {
  const id = useId();
  const numbers = parameters.filter(({ value }) => typeof value === 'number');
  if (form.dimensions.length === 0 || numbers.length < 2) return null;
  const choice = (name: 'less' | 'than', label: string) => (
    <div className="field">
      <label htmlFor={`${id}-${name}`}>{label}</label>
      <select
        id={`${id}-${name}`}
        className="text-input"
        value={form[name]}
        onChange={(event) => onChange({ [name]: event.currentTarget.value })}
      >
        <option value="">—</option>
        {numbers.map((each) => (
          <option key={each.pointer} value={each.pointer}>
            {each.name}
          </option>
        ))}
      </select>
      {faults.fields[name] ? <span className="error">{faults.fields[name]}</span> : null}
    </div>
  );
  return (
    <div className="form-grid">
      {choice('less', t('Only combinations in which'))}
      {choice('than', t('is below'))}
    </div>
  );
}

type TextName = 'count' | 'searchSeed' | 'minTrades' | 'trainDays' | 'testDays' | 'holdingDays';

/** The number of trials, their ranking figure, and walk-forward. */
export function TrialOptionFields({ form, faults, onChange }: Omit<FormProps, 'parameters'>) {
  const id = useId();
  const field = (name: TextName, label: string, unit = '') => (
    <Labelled id={`${id}-${name}`} label={label} unit={unit} fault={faults.fields[name]}>
      <input
        id={`${id}-${name}`}
        className="text-input"
        autoComplete="off"
        inputMode="numeric"
        value={form[name]}
        aria-invalid={faults.fields[name] ? true : undefined}
        onChange={(event) => onChange({ [name]: event.currentTarget.value })}
      />
    </Labelled>
  );
  return (
    <div className="stack">
      <div className="form-grid">
        <Labelled id={`${id}-search`} label={t('Run')}>
          <select
            id={`${id}-search`}
            className="text-input"
            value={form.search}
            onChange={(event) =>
              onChange({ search: event.currentTarget.value === 'random' ? 'random' : 'grid' })
            }
          >
            <option value="grid">{t('All combinations')}</option>
            <option value="random">{t('Random combinations')}</option>
          </select>
        </Labelled>
        {form.search === 'random' ? (
          <>
            {field('count', t('How many'))}
            {field('searchSeed', t('Random seed'))}
          </>
        ) : null}
        <Labelled id={`${id}-statistic`} label={t('Rank by')}>
          <select
            id={`${id}-statistic`}
            className="text-input"
            value={form.statistic}
            onChange={(event) => onChange({ statistic: event.currentTarget.value as SweepForm['statistic'] })}
          >
            {Object.entries(OBJECTIVES).map(([name, { title }]) => (
              <option key={name} value={name}>
                {t(title)}
              </option>
            ))}
          </select>
        </Labelled>
        {field('minTrades', t('Min. trades'))}
      </div>
      <label className="row tight single">
        <input
          type="checkbox"
          checked={form.walks}
          onChange={(event) => onChange({ walks: event.currentTarget.checked })}
        />
        {t('Walk forward: choose on what came before, judge on what came after')}
      </label>
      {form.walks ? (
        <div className="form-grid">
          {field('trainDays', t('Choose over'), 'days')}
          {field('testDays', t('Judge over the next'), 'days')}
          {field('holdingDays', t('Positions are held for'), 'days')}
          <label className="row tight single">
            <input
              type="checkbox"
              checked={form.isAnchored}
              onChange={(event) => onChange({ isAnchored: event.currentTarget.checked })}
            />
            {t('Always choose from the beginning on')}
          </label>
        </div>
      ) : null}
    </div>
  );
}
