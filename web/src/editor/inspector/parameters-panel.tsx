import { Button } from '@mantine/core';
import { useMemo, useState } from 'react';
import { amount } from '../../format/number.ts';
import { FindButton } from '../../instruments/find-button.tsx';
import { msg, t } from '../../language/language.ts';
import { Labelled } from '../../ui/fields/labelled.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import {
  type GraphParameter,
  graphParametersOf,
  HELP_MAX,
  type InstrumentList,
  isList,
  isSeries,
  nameFault,
  PARAMETERS_MAX,
  referenceCount,
  UNIT_MAX,
  valueFault,
} from '../drawing/parameters.ts';
import { addParameter, changeParameter, removeParameter, renameParameter, useEditor } from '../store.ts';
import { NumberInput } from './number-input.tsx';
import { SeriesInput } from './series-input.tsx';

/** The parameters of the graph: each may be changed, renamed and removed. */
export function ParametersPanel({ readOnly }: { readOnly: boolean }) {
  const rest = useEditor((editor) => editor.rest);
  const parameters = useMemo(() => graphParametersOf(rest), [rest]);
  const [opened, setOpened] = useState<string | null>(null);
  if (readOnly && parameters.length === 0) return null;
  return (
    <section className="stack tight" aria-label={t('Parameters')}>
      <h3>{t('Parameters')}</h3>
      <p className="plain dim small">
        {t('A named value for settings of several nodes. A sweep varies it by its name.')}
      </p>
      {parameters.map((parameter) => (
        <details
          key={parameter.name}
          className="parameter"
          open={opened === parameter.name}
          onToggle={({ currentTarget: { open } }) =>
            setOpened((now) => (open ? parameter.name : now === parameter.name ? null : now))
          }
        >
          <summary>
            <code>{parameter.name}</code> = {valueWords(parameter)}
          </summary>
          <ParameterFields
            parameter={parameter}
            others={parameters.map(({ name }) => name).filter((name) => name !== parameter.name)}
            readOnly={readOnly}
            onRenamed={setOpened}
          />
        </details>
      ))}
      {readOnly ? null : (
        <Button
          variant="default"
          disabled={parameters.length >= PARAMETERS_MAX}
          onClick={() => setOpened(addParameter())}
        >
          {t('Add a parameter')}
        </Button>
      )}
    </section>
  );
}

const valueWords = ({ value, unit }: GraphParameter): string =>
  isSeries(value)
    ? value.series
    : isList(value)
      ? t('{count, plural, one {# instrument} other {# instruments}}', { count: value.length })
      : `${typeof value === 'number' ? amount(value) : typeof value === 'boolean' ? t(value ? 'true' : 'false') : value} ${unit}`.trim();

const KINDS = [
  { kind: 'number', words: msg('Number'), initial: 1 },
  { kind: 'boolean', words: msg('Yes or no'), initial: false },
  { kind: 'string', words: msg('Text'), initial: '' },
  { kind: 'list', words: msg('List of instruments'), initial: ['BTCUSDT', 'ETHUSDT'] },
  {
    kind: 'series',
    words: msg('Open markets of a series'),
    initial: { series: 'KXBTC15M', venue: 'venue-a', outcome: 'yes' },
  },
] as const;

const kindOf = (value: unknown): string =>
  isList(value) ? 'list' : isSeries(value) ? 'series' : typeof value;

type FieldsProps = {
  parameter: GraphParameter;
  others: readonly string[];
  readOnly: boolean;
  onRenamed: (name: string) => void;
};

function ParameterFields({ parameter, others, readOnly, onRenamed }: FieldsProps) {
  const { name, value, min, max, unit, help } = parameter;
  const nodes = useEditor((editor) => editor.nodes);
  const count = referenceCount(nodes, name);
  const fault = valueFault(parameter) ?? undefined;
  const id = (field: string) => `parameter-${name}-${field}`;
  const bound = (field: 'min' | 'max', label: string, bounded: number | undefined) => (
    <Labelled id={id(field)} label={label}>
      <NumberInput
        id={id(field)}
        value={bounded}
        readOnly={readOnly}
        onChange={(next) => changeParameter(name, { [field]: next })}
      />
    </Labelled>
  );
  return (
    <div className="stack tight">
      <NameField name={name} others={others} readOnly={readOnly} onRenamed={onRenamed} />
      <Labelled id={id('kind')} label={t('Kind')}>
        <select
          id={id('kind')}
          className="text-input"
          disabled={readOnly}
          value={kindOf(value)}
          onChange={(event) => {
            const kind = KINDS.find((each) => each.kind === event.currentTarget.value);
            if (kind) changeParameter(name, { value: kind.initial });
          }}
        >
          {KINDS.map(({ kind, words }) => (
            <option key={kind} value={kind}>
              {t(words)}
            </option>
          ))}
        </select>
      </Labelled>
      <Labelled id={id('value')} label={t('Value')} unit={unit} fault={fault}>
        <ValueInput
          id={id('value')}
          parameter={parameter}
          readOnly={readOnly}
          isFaulty={fault !== undefined}
        />
      </Labelled>
      {typeof value === 'number' ? (
        <>
          {bound('min', t('Minimum'), min)}
          {bound('max', t('Maximum'), max)}
        </>
      ) : null}
      <TextField
        id={id('unit')}
        label={t('Unit')}
        placeholder={t('candles')}
        disabled={readOnly}
        maxLength={UNIT_MAX}
        value={unit}
        onChange={(event) => changeParameter(name, { unit: event.currentTarget.value })}
      />
      <TextField
        id={id('help')}
        label={t('Description')}
        disabled={readOnly}
        maxLength={HELP_MAX}
        value={help}
        onChange={(event) => changeParameter(name, { help: event.currentTarget.value })}
      />
      <p className="plain dim small">
        {count === 0
          ? t('No setting uses it yet: select a node and choose it below a setting.')
          : t('{count, plural, one {# setting uses it.} other {# settings use it.}}', { count })}
      </p>
      {readOnly ? null : (
        <Button variant="default" onClick={() => removeParameter(name)}>
          {count === 0 ? t('Remove') : t('Remove, and keep its value in the settings')}
        </Button>
      )}
    </div>
  );
}

/** The name changes when the field is left, because settings refer to it. */
function NameField({ name, others, readOnly, onRenamed }: Omit<FieldsProps, 'parameter'> & { name: string }) {
  const [typed, setTyped] = useState(name);
  const fault = nameFault(typed, others);
  return (
    <TextField
      id={`parameter-${name}-name`}
      label={t('Name')}
      disabled={readOnly}
      autoComplete="off"
      maxLength={40}
      value={typed}
      error={fault}
      onChange={(event) => setTyped(event.currentTarget.value.trim())}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.blur();
      }}
      onBlur={() => {
        if (fault) setTyped(name);
        else if (typed !== name) {
          renameParameter(name, typed);
          onRenamed(typed);
        }
      }}
    />
  );
}

type ValueProps = { id: string; parameter: GraphParameter; readOnly: boolean; isFaulty: boolean };

function ValueInput({ id, parameter: { name, value }, readOnly, isFaulty }: ValueProps) {
  if (typeof value === 'number')
    return (
      <NumberInput
        id={id}
        value={value}
        readOnly={readOnly}
        isFaulty={isFaulty}
        onChange={(next) => next !== undefined && changeParameter(name, { value: next })}
      />
    );
  if (typeof value === 'boolean')
    return (
      <select
        id={id}
        className="text-input"
        disabled={readOnly}
        value={String(value)}
        onChange={(event) => changeParameter(name, { value: event.currentTarget.value === 'true' })}
      >
        <option value="true">{t('true')}</option>
        <option value="false">{t('false')}</option>
      </select>
    );
  if (isList(value)) return <ListInput id={id} name={name} value={value} readOnly={readOnly} />;
  if (isSeries(value)) return <SeriesInput id={id} name={name} value={value} readOnly={readOnly} />;
  return (
    <input
      id={id}
      className="text-input"
      disabled={readOnly}
      autoComplete="off"
      maxLength={200}
      value={value}
      onChange={(event) => changeParameter(name, { value: event.currentTarget.value })}
    />
  );
}

const instrumentsIn = (text: string): string[] => text.split(/[\s,]+/).filter((each) => each !== '');

type ListProps = { id: string; name: string; value: InstrumentList; readOnly: boolean };

/** Instruments, one a line, as orders name them. */
function ListInput({ id, name, value, readOnly }: ListProps) {
  const [typed, setTyped] = useState('');
  const change = (text: string) => {
    setTyped(text);
    changeParameter(name, { value: instrumentsIn(text) });
  };
  const lines = value.join('\n');
  // The text as typed, unless the list was changed elsewhere since, as by undo.
  const displayed = instrumentsIn(typed).join('\n') === lines ? typed : lines;
  return (
    <>
      <textarea
        id={id}
        className="text-input area"
        rows={4}
        spellCheck={false}
        readOnly={readOnly}
        value={displayed}
        onChange={(event) => change(event.currentTarget.value)}
      />
      <span className="hint">{t('One a line. Nodes that refer to the list run once for each.')}</span>
      {readOnly ? null : (
        <div>
          <FindButton
            label={t('Add a market…')}
            onPick={(tokenId) => change([...value, tokenId].join('\n'))}
          />
        </div>
      )}
    </>
  );
}
