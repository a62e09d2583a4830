import type { Position } from '../../api/row-types.ts';
import { share, sharesOf } from '../../format/number.ts';
import { outcomeTitleOf } from '../../format/trading/order.ts';
import { t } from '../../language/language.ts';
import { worthOf } from './positions.tsx';

/** More are one part. */
const NAMED_MAX = 5;

const CASH = 'cash';
const classOf = (id: string) => (id === CASH ? CASH : undefined);

/** Shows the equity as parts of one bar: the largest instruments, the others, and cash. */
export function Allocation({ rows, cash }: { rows: readonly Position[]; cash: number }) {
  const byInstrument = [...Map.groupBy(rows, ({ tokenId }) => tokenId)]
    .map(([id, held]) => ({
      id,
      name: held.map(outcomeTitleOf)[0],
      worth: held.reduce((sum, row) => sum + worthOf(row), 0),
    }))
    .toSorted((one, other) => other.worth - one.worth);
  const others = byInstrument.slice(NAMED_MAX).reduce((sum, { worth }) => sum + worth, 0);
  const parts = [
    ...byInstrument.slice(0, NAMED_MAX),
    { id: 'others', name: t('Others'), worth: others },
    { id: CASH, name: t('Cash'), worth: cash },
  ].filter(({ worth }) => worth > 0);
  const shares = sharesOf(parts.map(({ worth }) => worth));
  return (
    <div className="allocation">
      <div className="allocation-bar" aria-hidden>
        {parts.map(({ id }, index) => (
          <i key={id} className={classOf(id)} style={{ width: `${(shares[index] ?? 0) * 100}%` }} />
        ))}
      </div>
      <ul className="row small" aria-label={t('Allocation')}>
        {parts.map(({ id, name }, index) => (
          <li key={id} className={classOf(id)}>
            {name} <span className="dim num">{share(shares[index])}</span>
          </li>
        ))}
        <li className="dim">{t('of equity')}</li>
      </ul>
    </div>
  );
}
