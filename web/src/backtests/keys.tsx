import type { LineTone } from '../charts/layers.ts';

/** Which line is which: colour and stroke, as they are drawn. */
export const Keys = ({ of }: { of: readonly (readonly [LineTone, string])[] }) => (
  <ul className="chart-keys">
    {of.map(([tone, name]) => (
      <li key={name}>
        <i className={`stroke ${tone}`} />
        {name}
      </li>
    ))}
  </ul>
);
