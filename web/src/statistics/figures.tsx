import { type Figure, NO_VALUE } from '../format/research/statistics.ts';
import { t } from '../language/language.ts';
import { Help } from '../ui/help/help.tsx';

/** Figures side by side, each with its definition. Those without a value are folded, with their reasons. */
export function Figures({ title, figures }: { title: string; figures: readonly Figure[] }) {
  const missing = figures.filter(({ value }) => value === NO_VALUE);
  return (
    <section aria-label={title}>
      <h3 className="figures-title">{title}</h3>
      <FigureGrid figures={figures.filter(({ value }) => value !== NO_VALUE)} />
      {missing.length === 0 ? null : (
        <details className="small">
          <summary>{t('Not known yet: {count}', { count: missing.length })}</summary>
          <FigureGrid figures={missing} />
        </details>
      )}
    </section>
  );
}

const FigureGrid = ({ figures }: { figures: readonly Figure[] }) => (
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
);
