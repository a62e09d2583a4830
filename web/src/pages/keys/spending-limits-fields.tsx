import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { trpc } from '../../api/trpc.ts';
import type { SpendingLimitsEntry } from '../../format/trading/spending-limits.ts';
import { t } from '../../language/language.ts';

type Props = {
  entry: SpendingLimitsEntry;
  /** A live key needs a limit on every order. */
  isLive: boolean;
  onChange: (entry: SpendingLimitsEntry) => void;
};

/** The spending limits of a key: of its orders, and of those by strategies it deploys. An empty field is no limit. */
export function SpendingLimitsFields({ entry, isLive, onChange }: Props) {
  const id = useId();
  const blueprints = useQuery(trpc.console.blueprints.queryOptions({}));
  const set = (change: Partial<SpendingLimitsEntry>) => onChange({ ...entry, ...change });
  const toggle = (blueprintId: string) =>
    set({
      blueprintIds: entry.blueprintIds.includes(blueprintId)
        ? entry.blueprintIds.filter((each) => each !== blueprintId)
        : [...entry.blueprintIds, blueprintId],
    });
  return (
    <fieldset className="choices">
      <legend className="small">{t('Its spending limits, fixed for good; a rotation keeps them')}</legend>
      <Amount
        id={`${id}-order`}
        label={t('Largest buy, USD')}
        hint={
          isLive ? t('Needed for real money.') : t('A larger one is denied. Empty: the risk rules alone.')
        }
        value={entry.maxOrder}
        onChange={(maxOrder) => set({ maxOrder })}
      />
      <Amount
        id={`${id}-day`}
        label={t('Buys a day, USD')}
        hint={t('Those since 00:00 UTC together. Empty: no bound of its own.')}
        value={entry.maxDay}
        onChange={(maxDay) => set({ maxDay })}
      />
      <label className="row">
        <input
          type="checkbox"
          checked={entry.alwaysApprove}
          onChange={(event) => set({ alwaysApprove: event.currentTarget.checked })}
        />
        {t('A person approves whatever it asks for')}
      </label>
      {isLive ? (
        <label className="row">
          <input
            type="checkbox"
            checked={entry.allowsUntried}
            onChange={(event) => set({ allowsUntried: event.currentTarget.checked })}
          />
          {t('It may deploy what has not run on paper for 24 hours, and buy by hand')}
        </label>
      ) : null}
      {blueprints.data && blueprints.data.length > 0 ? (
        <details>
          <summary>
            {entry.blueprintIds.length === 0
              ? t('For every strategy')
              : t('For {blueprintIds} of {data} strategies', {
                  blueprintIds: entry.blueprintIds.length,
                  data: blueprints.data.length,
                })}
          </summary>
          <div className="stack tight tall-menu">
            {blueprints.data.map(({ id: blueprintId, name }) => (
              <label key={blueprintId} className="row">
                <input
                  type="checkbox"
                  checked={entry.blueprintIds.includes(blueprintId)}
                  onChange={() => toggle(blueprintId)}
                />
                {name}
              </label>
            ))}
          </div>
        </details>
      ) : null}
    </fieldset>
  );
}

type AmountProps = {
  id: string;
  label: string;
  hint: string;
  value: string;
  onChange: (value: string) => void;
};

const Amount = ({ id, label, hint, value, onChange }: AmountProps) => (
  <div className="field">
    <label htmlFor={id}>{label}</label>
    <input
      id={id}
      className="text-input num"
      inputMode="decimal"
      autoComplete="off"
      value={value}
      aria-describedby={`${id}-hint`}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
    <span className="hint" id={`${id}-hint`}>
      {hint}
    </span>
  </div>
);
