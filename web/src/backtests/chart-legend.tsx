import type { LineTone } from '../charts/layers.ts';

/** The key of the lines: their colour and stroke, as drawn. */
export const ChartLegend = ({ of }: { of: readonly (readonly [LineTone, string])[] }) => (
  <ul className="chart-keys">
    {of.map(([tone, name]) => (
      <li key={name}>
        <i className={`stroke ${tone}`} />
        {name}
      </li>
    ))}
  </ul>
);
