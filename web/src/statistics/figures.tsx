import type { Figure } from '../format/research/statistics.ts';
import { Help } from '../ui/help/help.tsx';

/** Figures side by side, each with its definition and, if it has no value, the reason. */
export function Figures({ title, figures }: { title: string; figures: readonly Figure[] }) {
  return (
    <section aria-label={title}>
      <h3 className="figures-title">{title}</h3>
      <dl className="figure-grid">
        {figures.map(({ title: name, definition, value, note, sign = 0 }) => (
          <div key={name}>
            <dt>
              {name} <Help of={name}>{definition}</Help>
            </dt>
            <dd>
              <span className={sign > 0 ? 'value up' : sign < 0 ? 'value down' : 'value'}>
                {value}
                {sign === 0 ? null : <span aria-hidden> {sign > 0 ? '▲' : '▼'}</span>}
              </span>
              <span className="note">{note ?? ' '}</span>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
