import type { Position } from '../../api/row-types.ts';
import { share } from '../../format/number.ts';
import { allocationOf, CASH } from '../../format/trading/exposure.ts';
import { t } from '../../language/language.ts';

const classOf = (id: string) => (id === CASH ? CASH : undefined);

type AllocationProps = { account: { positions: readonly Position[]; cash: number; equity: number } };

/** Shows the equity as parts of one bar. */
export function Allocation({ account }: AllocationProps) {
  const parts = allocationOf(account.positions, account);
  return (
    <div className="allocation">
      <div className="allocation-bar" aria-hidden>
        {parts.map(({ id, share: part }) => (
          <i key={id} className={classOf(id)} style={{ width: `${part * 100}%` }} />
        ))}
      </div>
      <ul className="row small" aria-label={t('Allocation')}>
        {parts.map(({ id, name, share: part }) => (
          <li key={id} className={classOf(id)}>
            {name} <span className="dim num">{share(part)}</span>
          </li>
        ))}
        <li className="dim">{t('of equity')}</li>
      </ul>
    </div>
  );
}
