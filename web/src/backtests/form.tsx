import { Button } from '@mantine/core';
import { useId } from 'react';
import { type BacktestForm, type Faults, lastDays, RANGE_DAYS } from '../format/backtest.ts';
import { FindButton } from '../instruments/find-button.tsx';
import { Labelled } from '../ui/labelled.tsx';

type FormProps = {
  form: BacktestForm;
  faults: Faults;
  releases: readonly number[];
  /** Instruments of the drawing. */
  tokens: readonly string[];
  onChange: (change: Partial<BacktestForm>) => void;
  /** Of many runs none is checked by itself. */
  isOfMany?: boolean;
};

/** What a run is asked: what has to be chosen first, what is assumed below. */
export function FormFields(props: FormProps) {
  const { form, releases, onChange, isOfMany = false } = props;
  return (
    <div className="stack">
      <div className="form-grid">
        <Choice
          {...props}
          name="of"
          label="Drawing"
          options={[
            ['draft', 'The draft'],
            ...releases.map((number): [string, string] => [String(number), `Release ${number}`]),
          ]}
        />
        <Field {...props} name="from" label="From, UTC" type="datetime-local" />
        <Field {...props} name="to" label="To, UTC" type="datetime-local" />
        <Field {...props} name="cash" label="Cash at the start" unit="USD" />
      </div>
      <div className="row tight">
        <span className="dim small">The last</span>
        {RANGE_DAYS.map((days) => (
          <button
            key={days}
            type="button"
            className="chip"
            onClick={() => onChange(lastDays(days, Date.now()))}
          >
            {days === 365 ? 'year' : `${days} days`}
          </button>
        ))}
      </div>
      <details open={isUnusual(form, isOfMany)}>
        <summary>Change what is assumed</summary>
        <div className="stack">
          <div className="form-grid">
            <Choice
              {...props}
              name="source"
              label="Prices"
              options={[
                ['auto', 'Recorded, else bars'],
                ['recorded', 'Recorded only'],
                ['bars', 'Bars only'],
              ]}
            />
            <Choice
              {...props}
              name="detail"
              label="Inside a bar"
              options={[
                ['auto', 'The finest there is'],
                ['1s', 'Seconds'],
                ['1m', 'Minutes'],
                ['none', 'Nothing finer'],
              ]}
            />
            <Choice
              {...props}
              name="highLow"
              label="High and low"
              options={[
                ['likely', 'The likelier first'],
                ['high_first', 'High first'],
                ['low_first', 'Low first'],
                ['both', 'Both, as a range'],
              ]}
            />
            <Field {...props} name="latencySec" label="Orders arrive after" unit="s" />
            <Field {...props} name="halfSpread" label="Half the spread" unit="empty: by venue" />
            <Field {...props} name="slippageTicks" label="Slippage" unit="ticks" />
            <Choice
              {...props}
              name="liquidity"
              label="Filled by"
              options={[
                ['share', 'A share of the volume'],
                ['unlimited', 'As much as it wants'],
              ]}
            />
            <Field {...props} name="sharePct" label="Share of the volume" unit="%" />
            <Choice
              {...props}
              name="fees"
              label="Fees"
              options={[
                ['schedule', 'The venue’s schedule'],
                ['none', 'None'],
              ]}
            />
            <Choice
              {...props}
              name="approvals"
              label="Approvals"
              options={[
                ['auto', 'Given, checked again'],
                ['never', 'Never given'],
              ]}
            />
            <Field {...props} name="delaySec" label="Approved after" unit="s" />
            <Field {...props} name="riskFreePct" label="Riskless return a year" unit="%" />
            <Field {...props} name="seed" label="Seed" />
          </div>
          {isOfMany ? null : (
            <label className="row tight">
              <input
                type="checkbox"
                checked={form.checks}
                onChange={(event) => onChange({ checks: event.currentTarget.checked })}
              />
              Check the run for look-ahead, at about its cost once more
            </label>
          )}
          <Substitutes {...props} />
        </div>
      </details>
    </div>
  );
}

/** Whether something below the fold is not as it flatters least. */
const isUnusual = ({ liquidity, fees, checks, token }: BacktestForm, isOfMany: boolean): boolean =>
  liquidity === 'unlimited' || fees === 'none' || (!checks && !isOfMany) || token !== '';

type Text = Exclude<keyof BacktestForm, 'checks'>;
type FieldProps = FormProps & { name: Text; label: string; unit?: string; type?: string };

function Field({ form, faults, onChange, name, label, unit, type = 'text' }: FieldProps) {
  const id = useId();
  const fault = faults[name];
  return (
    <Labelled id={id} label={label} fault={fault} unit={unit}>
      <input
        id={id}
        type={type}
        className="text-input"
        autoComplete="off"
        inputMode={type === 'text' ? 'decimal' : undefined}
        value={form[name]}
        aria-invalid={fault ? true : undefined}
        aria-describedby={fault ? `${id}-fault` : undefined}
        onChange={(event) => onChange({ [name]: event.currentTarget.value })}
      />
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

/** One instrument of the drawing run over others: how a blueprint of one short market is judged on many. */
function Substitutes({ form, faults, tokens, onChange }: FormProps) {
  const id = useId();
  return (
    <div className="form-grid">
      <div className="field">
        <label htmlFor={`${id}-token`}>In place of</label>
        <select
          id={`${id}-token`}
          className="text-input"
          value={form.token}
          onChange={(event) => onChange({ token: event.currentTarget.value })}
        >
          <option value="">Nothing: the drawing as it is</option>
          {tokens.map((token) => (
            <option key={token}>{token}</option>
          ))}
        </select>
        {faults.token ? <span className="error">{faults.token}</span> : null}
      </div>
      <div className="field wide">
        <label htmlFor={`${id}-others`}>run it over these, one a line, each with its own cash</label>
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
            label="Add a market…"
            onPick={(tokenId) =>
              onChange({ substitutes: [form.substitutes.trim(), tokenId].filter(Boolean).join('\n') })
            }
          />
        </div>
      </div>
    </div>
  );
}

/** Sends it, or says what cannot be sent. */
export const StartButton = ({ faults, isPending }: { faults: Faults; isPending: boolean }) => {
  const isFaulty = Object.keys(faults).length > 0;
  return (
    <div className="row">
      <Button type="submit" disabled={isFaulty} loading={isPending}>
        Run backtest
      </Button>
      {isFaulty ? <span className="dim small">Correct what is marked first.</span> : null}
    </div>
  );
};
