import { changeWords } from '../format/trading/instrument.ts';
import type { Instrument } from './use-instruments.ts';

/** The change over a day: sign, arrow and colour. Empty if the venue does not state it. */
export function DayChange({ of: { venue, change24h } }: { of: Pick<Instrument, 'venue' | 'change24h'> }) {
  if (change24h === null) return null;
  const words = changeWords({ venue, change24h });
  if (change24h === 0) return <span>{words}</span>;
  return (
    <span className={change24h > 0 ? 'up' : 'down'}>
      {words} <span aria-hidden>{change24h > 0 ? '▲' : '▼'}</span>
    </span>
  );
}
