import { useState } from 'react';
import type { Backtest } from '../api/row-types.ts';
import { amount, share } from '../format/number.ts';
import { type Labelled, nodeNameOf } from '../format/trading/order.ts';
import { type Message, msg, t } from '../language/language.ts';
import { perLocale } from '../language/locale.ts';
import { Choice } from '../ui/fields/choice.tsx';
import { Panel } from '../ui/panel.tsx';
import { Pnl } from '../ui/status.tsx';

type Attribution = NonNullable<NonNullable<Backtest['result']>['attribution']>;
type Key = keyof Attribution;

const KEYS = [
  ['node', msg('Node')],
  ['instrument', msg('Instrument')],
  ['hour', msg('Hour (UTC)')],
  ['weekday', msg('Weekday (UTC)')],
  ['regime', msg('Market of the week before')],
] as const satisfies readonly (readonly [Key, unknown])[];

/** The service lists as many nodes and instruments. */
const LISTED_MAX = 12;

const weekday = perLocale((locale) => new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' }));
/** 1970-01-04 was a Sunday. */
const weekdayName = (day: number): string => weekday().format(Date.UTC(1970, 0, 4 + day));

const REGIMES: Readonly<Record<string, Message>> = {
  rising_calm: msg('Rising, calm'),
  rising_volatile: msg('Rising, volatile'),
  falling_calm: msg('Falling, calm'),
  falling_volatile: msg('Falling, volatile'),
  unknown: msg('Less than a week before'),
};

function nameOf(key: Key, of: string): string {
  const regime = key === 'regime' ? REGIMES[of] : undefined;
  if (regime !== undefined) return t(regime);
  return key === 'weekday' ? weekdayName(Number(of)) : key === 'hour' ? `${of.padStart(2, '0')}:00` : of;
}

/** Results of trades by how they were entered. */
export function AttributionPanel({ attribution, nodeLabels }: { attribution: Attribution } & Labelled) {
  const [key, setKey] = useState<Key>('node');
  const keys = KEYS.filter(([each]) => each !== 'regime' || attribution.regime.length > 0);
  const title = t(KEYS.find(([each]) => each === key)?.[1] ?? KEYS[0][1]);
  return (
    <Panel
      title={t('Results by entry')}
      flush
      actions={
        <Choice
          label={t('Results by entry')}
          value={key}
          options={keys.map(([each, name]) => [each, t(name)])}
          onChange={(value) => setKey(value as Key)}
        />
      }
    >
      <table className="rows cards">
        <thead>
          <tr>
            <th>{title}</th>
            <th className="num">{t('Trades')}</th>
            <th className="num">{t('Win rate')}</th>
            <th className="num">{t('Net profit')}</th>
          </tr>
        </thead>
        <tbody>
          {attribution[key].map(({ of, trades, wins, profit }) => (
            <tr key={of}>
              <td data-label={title}>{key === 'node' ? nodeNameOf({ nodeLabels }, of) : nameOf(key, of)}</td>
              <td data-label={t('Trades')} className="num">
                {amount(trades)}
              </td>
              <td data-label={t('Win rate')} className="num">
                {share(wins / trades)}
              </td>
              <td data-label={t('Net profit')} className="num">
                <Pnl value={profit} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {(key === 'node' || key === 'instrument') && attribution[key].length === LISTED_MAX && (
        <p className="plain dim small">{t('The 12 with the largest results.')}</p>
      )}
    </Panel>
  );
}
