import { useQuery } from '@tanstack/react-query';
import { trpc } from '../../api/trpc.ts';
import { actionWords, actorWords } from '../../format/audit.ts';
import { RowSkeleton } from '../../ui/panel.tsx';
import { ProblemNotice } from '../../ui/problem.tsx';
import { type Subject, useSubjects } from '../../ui/subject.tsx';
import { Time } from '../../ui/time.tsx';

const ROWS = 8;

export function ActivityFeed() {
  const audit = useQuery({ ...trpc.audit.list.queryOptions({ limit: ROWS }), refetchInterval: 15_000 });
  const subjectOf = useSubjects();
  if (audit.error && !audit.data) return <ProblemNotice error={audit.error} />;
  if (!audit.data) return <RowSkeleton rows={ROWS} height={18} />;
  if (audit.data.length === 0) {
    return (
      <div className="empty">
        <p>Every change of yours, of your keys and of your strategies is written down here.</p>
      </div>
    );
  }
  return (
    <ul className="list">
      {audit.data.map((entry) => (
        <li key={entry.id} className="row apart" style={{ flexWrap: 'nowrap' }}>
          <span className="clip">
            {actionWords(entry.action)} <About {...subjectOf(entry)} />{' '}
            <span className="dim">by {actorWords(entry.actor)}</span>
          </span>
          <span className="dim small">
            <Time at={entry.at} />
          </span>
        </li>
      ))}
    </ul>
  );
}

const About = ({ link, name }: Subject) => link ?? name;
