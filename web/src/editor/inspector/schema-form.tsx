import { useId, useMemo } from 'react';
import { InstrumentField } from '../../instruments/field.tsx';
import { t } from '../../language/language.ts';
import { Help } from '../../ui/help/help.tsx';
import type { Config } from '../drawing/model.ts';
import {
  type GraphParameter,
  graphParametersOf,
  isList,
  isSeries,
  referenceIn,
} from '../drawing/parameters.ts';
import { type Field, fieldsOf, startingConfig } from '../drawing/settings-schema.ts';
import {
  optionWords,
  scaleOf,
  settingHelp,
  settingTitleOf,
  titleAndUnitOf,
  withSettings,
} from '../drawing/words.ts';
import { useEditor } from '../store.ts';
import { NumberInput } from './number-input.tsx';

type FormProps = {
  schema: unknown;
  config: Config;
  readOnly: boolean;
  onChange: (config: Config, name: string) => void;
};

/** The settings of a node, from its JSON Schema. A setting without a value keeps its default. */
export function SchemaForm({ schema, config, readOnly, onChange }: FormProps) {
  const fields = fieldsOf(schema, config);
  const chooser = Object.keys(startingConfig(schema))[0];
  const rest = useEditor((editor) => editor.rest);
  const parameters = useMemo(() => graphParametersOf(rest), [rest]);
  const set = (name: string, value: unknown) => {
    const next: Record<string, unknown> = { ...config, [name]: value };
    if (value === undefined) delete next[name];
    onChange(name === chooser ? keepKnown(schema, next) : next, name);
  };
  return (
    <>
      {fields.length > 0 ? <h3>{t('Settings')}</h3> : null}
      {fields.map((field) => (
        <Setting
          key={field.name}
          field={field}
          fields={fields}
          config={config}
          value={config[field.name]}
          readOnly={readOnly}
          parameters={field.name === chooser ? [] : parameters.filter((each) => suits(each, field))}
          onChange={(value) => set(field.name, value)}
        />
      ))}
    </>
  );
}

/** Another variant has other settings: it would refuse those it does not know. */
function keepKnown(schema: unknown, config: Config): Config {
  const names = new Set(fieldsOf(schema, config).map(({ name }) => name));
  return Object.fromEntries(Object.entries(config).filter(([name]) => names.has(name)));
}

/** Settings that may refer to a list. */
const LIST_SETTINGS: readonly string[] = ['instrument', 'symbol'];

/** Whether a setting can take its value from this parameter. */
function suits({ value }: GraphParameter, field: Field): boolean {
  if (isList(value) || isSeries(value)) return field.kind === 'text' && LIST_SETTINGS.includes(field.name);
  if (field.kind === 'choice') return field.options.includes(String(value));
  return typeof value === (field.kind === 'text' ? 'string' : field.kind);
}

type ValueProps = { field: Field; value: unknown; readOnly: boolean; onChange: (value: unknown) => void };
type SettingProps = ValueProps & {
  parameters: readonly GraphParameter[];
  /** All settings of the node and their values: a help may name them. */
  fields: readonly Field[];
  config: Config;
};

function Setting(props: SettingProps) {
  const { field, fields, value, config } = props;
  const id = useId();
  const reference = referenceIn(value);
  const missing = field.required && (value === undefined || value === '') && field.fallback === undefined;
  const label = field.kind === 'choice' && typeof value === 'string' ? (field.labels[value] ?? '') : '';
  const help = withSettings(label, fields, config);
  const { title, unit } = titleAndUnitOf(field.name);
  const isWide = field.kind === 'days' || (field.kind === 'text' && field.venues !== undefined);
  return (
    <div className={isWide ? 'field' : 'field beside'}>
      <span className="row tight">
        <label htmlFor={id}>
          {title}
          {unit ? <span className="sr"> ({unit})</span> : null}
        </label>
        <Help of={settingTitleOf(field.name)}>{settingHelp(field)}</Help>
      </span>
      {reference === null ? (
        <span className="with-unit">
          <Control {...props} id={id} missing={missing} />
          {unit ? (
            <span className="unit dim small" aria-hidden>
              {unit}
            </span>
          ) : null}
        </span>
      ) : null}
      <ParameterChoice {...props} id={reference === null ? undefined : id} reference={reference} />
      {missing ? <span className="error">{t('Needed before it can be deployed.')}</span> : null}
      {help || (missing && field.description) ? (
        <span className="hint">{help || field.description}</span>
      ) : null}
    </div>
  );
}

type ChoiceProps = SettingProps & { id: string | undefined; reference: string | null };

/** Whether the setting has a value of its own or that of a parameter; nothing while the graph has none that suits. */
function ParameterChoice({ field, readOnly, parameters, onChange, id, reference }: ChoiceProps) {
  if (reference === null && (readOnly || parameters.length === 0)) return null;
  const chosen = parameters.find(({ name }) => name === reference);
  const names = parameters.map(({ name }) => name);
  return (
    <>
      <select
        id={id}
        className="text-input"
        aria-label={id ? undefined : t('Parameter for {setting}', { setting: settingTitleOf(field.name) })}
        disabled={readOnly}
        value={reference ?? ''}
        onChange={({ currentTarget: { value } }) =>
          onChange(value === '' ? [chosen?.value].flat()[0] : { parameter: value })
        }
      >
        <option value="">{t('Its own value')}</option>
        {[...names, ...(reference !== null && !chosen ? [reference] : [])].map((name) => (
          <option key={name} value={name}>
            {t('Parameter {name}', { name })}
          </option>
        ))}
      </select>
      {chosen ? (
        <span className="hint">
          {[`${[chosen.value].flat().join(', ')} ${chosen.unit}`.trim(), chosen.help].join('. ')}
        </span>
      ) : null}
    </>
  );
}

type ControlProps = ValueProps & { id: string; missing: boolean };

function Control({ field, value, readOnly, onChange, id, missing }: ControlProps) {
  switch (field.kind) {
    case 'choice':
      return (
        <select
          id={id}
          className="text-input"
          disabled={readOnly}
          value={String(value ?? field.fallback ?? '')}
          onChange={(event) => onChange(event.currentTarget.value || undefined)}
        >
          {field.fallback === undefined ? (
            <option value="">{field.required ? t('Choose') : t('optional')}</option>
          ) : null}
          {field.options.map((option) => (
            <option key={option} value={option}>
              {optionWords(option)}
            </option>
          ))}
        </select>
      );
    case 'boolean':
      return (
        <select
          id={id}
          className="text-input"
          disabled={readOnly}
          value={String(value ?? field.fallback ?? false)}
          onChange={(event) => onChange(event.currentTarget.value === 'true')}
        >
          <option value="true">{t('yes')}</option>
          <option value="false">{t('no')}</option>
        </select>
      );
    case 'days':
      return <Days field={field} value={value} readOnly={readOnly} onChange={onChange} id={id} />;
    case 'number':
      return (
        <NumberInput
          id={id}
          value={value}
          readOnly={readOnly}
          isFaulty={missing}
          placeholder={placeholderOf(field)}
          scale={scaleOf(field.name)}
          onChange={onChange}
        />
      );
    case 'text':
      return field.venues ? (
        <InstrumentField
          id={id}
          value={typeof value === 'string' ? value : ''}
          readOnly={readOnly}
          isMissing={missing}
          example={field.example}
          venues={field.venues}
          onChange={(tokenId) => onChange(tokenId || undefined)}
        />
      ) : (
        <input
          id={id}
          className="text-input"
          disabled={readOnly}
          autoComplete="off"
          placeholder={field.example}
          aria-invalid={missing || undefined}
          value={typeof value === 'string' ? value : ''}
          onChange={(event) => onChange(event.currentTarget.value || undefined)}
        />
      );
  }
}

/** The value that counts while nothing is typed; or that none is needed. */
function placeholderOf({ name, fallback, required }: Field): string {
  if (typeof fallback === 'number') return String(fallback * scaleOf(name));
  return required ? '' : t('optional');
}

function Days({ field, value, readOnly, onChange, id }: Omit<ControlProps, 'missing'>) {
  const options = field.kind === 'days' ? field.options : [];
  const chosen = new Set(Array.isArray(value) ? value.map(String) : options);
  return (
    <fieldset className="choices row tight" id={id}>
      {options.map((day) => (
        <label key={day} className="row tight small">
          <input
            type="checkbox"
            disabled={readOnly}
            checked={chosen.has(day)}
            onChange={(event) =>
              onChange(
                options.filter((each) => (each === day ? event.currentTarget.checked : chosen.has(each))),
              )
            }
          />
          {optionWords(day)}
        </label>
      ))}
    </fieldset>
  );
}
