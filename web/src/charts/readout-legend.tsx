import type { Readout } from './readout.ts';

/** The legend at the cursor in one sentence. */
export const readoutWords = ({ at, panes }: Readout): string =>
  [at, ...panes.flatMap(({ rows }) => rows.map(({ name, words }) => `${name} ${words}`))].join(', ');

/** The library's logo stands at the bottom left. */
const LOGO_PX = 44;

const shareOf = (heights: readonly number[], until: number): number => {
  const sum = (rows: readonly number[]) => rows.reduce((total, height) => total + height, 0);
  return sum(heights.slice(0, until)) / sum(heights);
};

/** The names and values of the layers, on their panes. The chart says them to screen readers. */
export const ReadoutLegend = ({ readout, panes }: { readout: Readout; panes: readonly number[] }) => (
  <div className="readouts" aria-hidden>
    {readout.panes.map(({ pane, isAtBottom, rows }) => (
      <ul
        key={pane}
        data-pane={pane}
        className="chart-keys readout"
        style={
          isAtBottom
            ? { bottom: `${100 * (1 - shareOf(panes, pane + 1))}%`, left: LOGO_PX }
            : { top: `${100 * shareOf(panes, pane)}%` }
        }
      >
        {rows.map(({ name, tone, words }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two layers may have one name, and none moves
          <li key={index}>
            {tone === null || tone === 'up' || tone === 'down' ? null : <i className={`stroke ${tone}`} />}
            <span className="nowrap">{name}</span>
            <span className={tone === 'up' || tone === 'down' ? `figures ${tone}` : 'figures'}>{words}</span>
          </li>
        ))}
      </ul>
    ))}
  </div>
);
