import { useId } from 'react';
import { type Message, msg, t } from '../../language/language.ts';

export type Limits = { maxOrder: number | null; maxDay: number | null; maxOpenNotional: number | null };

const FIELDS = [
  ['maxOrder', msg('Largest order'), msg('No buy through it is larger.')],
  ['maxDay', msg('Buys a day'), msg('Those of a UTC day together.')],
  ['maxOpenNotional', msg('Open exposure'), msg('Buys that are open and what is held, together.')],
] as const satisfies readonly (readonly [keyof Limits, Message, Message])[];

/** Limits of one connection, in USD; an empty field is no limit. */
export function LimitFields({ limits }: { limits?: Limits }) {
  const id = useId();
  return (
    <fieldset className="choices">
      <legend className="small legend">{t('Limits of this connection, in USD; empty for none')}</legend>
      {FIELDS.map(([name, title, help]) => (
        <div className="field" key={name}>
          <label htmlFor={`${id}-${name}`}>{t(title)}</label>
          <input
            id={`${id}-${name}`}
            name={name}
            className="text-input num"
            inputMode="decimal"
            autoComplete="off"
            pattern="\d+(\.\d+)?"
            title={t('An amount above 0, or nothing')}
            defaultValue={limits?.[name] ?? ''}
          />
          <span className="hint">{t(help)}</span>
        </div>
      ))}
    </fieldset>
  );
}

export function readLimits(form: HTMLFormElement): Limits {
  const typed = new FormData(form);
  const read = (name: keyof Limits) => {
    const text = String(typed.get(name) ?? '').trim();
    return text === '' ? null : Number(text);
  };
  return { maxOrder: read('maxOrder'), maxDay: read('maxDay'), maxOpenNotional: read('maxOpenNotional') };
}
