import { Button } from '@mantine/core';
import { type ChangeEvent, useId } from 'react';
import { serviceMs } from '../api/clock.ts';
import {
  type BacktestFaults,
  type BacktestForm,
  lastDays,
  RANGE_DAYS,
} from '../format/research/backtest-form.ts';
import { FindButton } from '../instruments/find-button.tsx';
import { t } from '../language/language.ts';
import { DateField } from '../ui/fields/date-field.tsx';
import { Labelled } from '../ui/fields/labelled.tsx';

type FormProps = {
  form: BacktestForm;
  faults: BacktestFaults;
  releases: readonly number[];
  /** Instruments of the graph. */
  tokens: readonly string[];
  onChange: (change: Partial<BacktestForm>) => void;
  /** Whether it asks for many runs, none of which is checked for look-ahead. */
  isOfMany?: boolean;
};

/** The fields of a run: choices that must be made first, assumptions below. */
export function FormFields(props: FormProps) {
  const { form, releases, onChange, isOfMany = false } = props;
  return (
    <div className="stack">
      <div className="form-grid">
        <Choice
          {...props}
          name="of"
          label={t('Version')}
          options={[
            ['draft', t('Draft')],
            ...releases.map((number): [string, string] => [
              String(number),
              t('Release {number}', { number }),
            ]),
          ]}
        />
        <Field {...props} name="from" label={t('From, UTC')} isInstant />
        <Field {...props} name="to" label={t('To, UTC')} isInstant />
        <Field {...props} name="cash" label={t('Starting capital')} unit={t('USD')} />
      </div>
      <div className="row tight">
        <span className="dim small">{t('The last')}</span>
        {RANGE_DAYS.map((days) => (
          <button
            key={days}
            type="button"
            className="chip"
            onClick={() => onChange(lastDays(days, serviceMs()))}
          >
            {days === 365 ? t('year') : t('{days} days', { days })}
          </button>
        ))}
      </div>
      <details open={isUnusual(form, isOfMany)}>
        <summary>{t('Advanced assumptions')}</summary>
        <div className="stack">
          <div className="form-grid">
            <Choice
              {...props}
              name="source"
              label={t('Prices')}
              options={[
                ['auto', t('Recorded, else bars')],
                ['recorded', t('Recorded only')],
                ['bars', t('Bars only')],
              ]}
            />
            <Choice
              {...props}
              name="detail"
              label={t('Intrabar path')}
              options={[
                ['auto', t('The finest there is')],
                ['1s', t('Seconds')],
                ['1m', t('Minutes')],
                ['none', t('Nothing finer')],
              ]}
            />
            <Choice
              {...props}
              name="highLow"
              label={t('High and low')}
              options={[
                ['likely', t('Random')],
                ['high_first', t('High first')],
                ['low_first', t('Low first')],
                ['both', t('Lowest of three random paths')],
              ]}
            />
            <Field {...props} name="latencySec" label={t('Latency of orders')} unit="s" />
            <Field {...props} name="halfSpread" label={t('Half the spread')} unit={t('empty: by venue')} />
            <Field {...props} name="slippageTicks" label={t('Slippage')} unit={t('ticks')} />
            <Choice
              {...props}
              name="liquidity"
              label={t('Filled by')}
              options={[
                ['share', t('A share of the volume')],
                ['unlimited', t('As much as it wants')],
              ]}
            />
            <Field {...props} name="sharePct" label={t('Share of the volume')} unit="%" />
            <Choice
              {...props}
              name="fees"
              label={t('Fees')}
              options={[
                ['schedule', t('The venue’s schedule')],
                ['none', t('None')],
              ]}
            />
            <Choice
              {...props}
              name="approvals"
              label={t('Approvals')}
              options={[
                ['auto', t('Given, checked again')],
                ['never', t('Never given')],
              ]}
            />
            <Field {...props} name="delaySec" label={t('Approved after')} unit="s" />
            <Field {...props} name="riskFreePct" label={t('Risk-free rate')} unit="%" />
            <Field {...props} name="seed" label={t('Seed')} />
          </div>
          {isOfMany ? null : (
            <>
              <Option
                {...props}
                name="checks"
                label={t('Check the run for look-ahead, at about its cost once more')}
              />
              <Option
                {...props}
                name="sensitivity"
                label={t('Run it again with each assumption changed, at up to six times its cost')}
              />
            </>
          )}
          <Substitutes {...props} />
        </div>
      </details>
    </div>
  );
}

/** Whether a collapsed field differs from its conservative default. */
const isUnusual = ({ liquidity, fees, checks, token }: BacktestForm, isOfMany: boolean): boolean =>
  liquidity === 'unlimited' || fees === 'none' || (!checks && !isOfMany) || token !== '';

type Flag = 'checks' | 'sensitivity';
type OptionProps = FormProps & { name: Flag; label: string };

const Option = ({ form, onChange, name, label }: OptionProps) => (
  <label className="row tight">
    <input
      type="checkbox"
      checked={form[name]}
      onChange={(event) => onChange({ [name]: event.currentTarget.checked })}
    />
    {label}
  </label>
);

type Text = Exclude<keyof BacktestForm, Flag>;
type FieldProps = FormProps & { name: Text; label: string; unit?: string; isInstant?: boolean };

function Field({ form, faults, onChange, name, label, unit, isInstant = false }: FieldProps) {
  const id = useId();
  const fault = faults[name];
  const input = {
    id,
    value: form[name],
    'aria-invalid': fault ? true : undefined,
    'aria-describedby': fault ? `${id}-fault` : undefined,
    onChange: (event: ChangeEvent<HTMLInputElement>) => onChange({ [name]: event.currentTarget.value }),
  };
  return (
    <Labelled id={id} label={label} fault={fault} unit={unit}>
      {isInstant ? (
        <DateField {...input} type="datetime-local" />
      ) : (
        <input {...input} type="text" className="text-input" autoComplete="off" inputMode="decimal" />
      )}
    </Labelled>
  );
}

type ChoiceProps = FormProps & { name: Text; label: string; options: readonly (readonly [string, string])[] };

function Choice({ form, onChange, name, label, options }: ChoiceProps) {
  const id = useId();
  return (
    <Labelled id={id} label={label}>
      <select
        id={id}
        className="text-input"
        value={form[name]}
        onChange={(event) => onChange({ [name]: event.currentTarget.value })}
      >
        {options.map(([value, title]) => (
          <option key={value} value={value}>
            {title}
          </option>
        ))}
      </select>
    </Labelled>
  );
}

/** Runs one instrument of the graph over others: a blueprint of one short market is judged on many. */
function Substitutes({ form, faults, tokens, onChange }: FormProps) {
  const id = useId();
  return (
    <div className="form-grid">
      <div className="field">
        <label htmlFor={`${id}-token`}>{t('In place of')}</label>
        <select
          id={`${id}-token`}
          className="text-input"
          value={form.token}
          onChange={(event) => onChange({ token: event.currentTarget.value })}
        >
          <option value="">{t('Nothing: the strategy as it is')}</option>
          {tokens.map((token) => (
            <option key={token}>{token}</option>
          ))}
        </select>
        {faults.token ? <span className="error">{faults.token}</span> : null}
      </div>
      <div className="field wide">
        <label htmlFor={`${id}-others`}>{t('run it over these, one a line, each with its own cash')}</label>
        <textarea
          id={`${id}-others`}
          className="text-input area"
          rows={2}
          spellCheck={false}
          value={form.substitutes}
          onChange={(event) => onChange({ substitutes: event.currentTarget.value })}
        />
        <div>
          <FindButton
            label={t('Add a market…')}
            onPick={(tokenId) =>
              onChange({ substitutes: [form.substitutes.trim(), tokenId].filter(Boolean).join('\n') })
            }
          />
        </div>
      </div>
    </div>
  );
}

/** Sends the form, or says which fields cannot be sent. */
export const StartButton = ({ faults, isPending }: { faults: BacktestFaults; isPending: boolean }) => {
  const isFaulty = Object.keys(faults).length > 0;
  return (
    <div className="row">
      <Button type="submit" disabled={isFaulty} loading={isPending}>
        {t('Run backtest')}
      </Button>
      {isFaulty ? <span className="dim small">{t('Correct the marked fields first.')}</span> : null}
    </div>
  );
};
