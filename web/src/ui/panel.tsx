import { type ReactNode, useId } from 'react';
import { delayWords, useLive } from '../live/store.ts';

type PanelProps = {
  title: ReactNode;
  actions?: ReactNode;
  /** Tables fill the panel; other content gets room around it. */
  flush?: boolean;
  children: ReactNode;
};

export function Panel({ title, actions, flush = false, children }: PanelProps) {
  const id = useId();
  return (
    <section className="panel" aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {actions ? <div className="row">{actions}</div> : null}
      </header>
      <div className={flush ? 'scroll' : 'body'}>{children}</div>
    </section>
  );
}

export function PageHead({ title, children }: { title: ReactNode; children?: ReactNode }) {
  return (
    <div className="page-head">
      <h1>{title}</h1>
      {children ? <div className="row">{children}</div> : null}
    </div>
  );
}

/** A placeholder of the size of loading content. */
export const Skeleton = ({ height }: { height: number }) => (
  <span className="skeleton" aria-hidden style={{ height }} />
);

/** A placeholder of the size of loading rows; in an outage it says why they do not arrive. */
export function RowSkeleton({ rows, height = 30 }: { rows: number; height?: number }) {
  const delay = useLive(({ connection }) => delayWords(connection));
  return (
    <>
      {delay === null ? null : <p className="table-note dim">{delay}</p>}
      <div className="body skeletons" aria-hidden>
        {Array.from({ length: rows }, (_, index) => `row-${index}`).map((key) => (
          <Skeleton key={key} height={height} />
        ))}
      </div>
    </>
  );
}
