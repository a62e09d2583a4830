import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { client, type Outputs, trpc } from '../api/trpc.ts';
import { actionWords, happeningWords } from '../format/audit.ts';
import { Curl, Id } from '../ui/copy.tsx';
import { PageHead, Panel, RowSkeleton } from '../ui/panel.tsx';
import { ProblemNotice, RequestId } from '../ui/problem.tsx';
import { type Subject, useActors, useSubjects } from '../ui/subject.tsx';
import { Time } from '../ui/time.tsx';
import { useRules } from '../ui/use-rules.ts';

type Entry = Outputs['console']['activity'][number];

const PAGE = 100;
const REFRESH_MS = 15_000;

type Cursor = { at: string; id: string } | null;

/** What happened: who changed what, what was filled or denied, what strategies said. It is only ever added to. */
export function ActivityPage() {
  const { find = '' } = useSearch({ from: '/shell/activity' });
  const navigate = useNavigate({ from: '/activity' });
  const audit = useInfiniteQuery({
    queryKey: trpc.console.activity.pathKey(),
    queryFn: ({ pageParam }) =>
      client.console.activity.query({ limit: PAGE, ...(pageParam && { before: pageParam }) }),
    initialPageParam: null as Cursor,
    getNextPageParam: (page): Cursor => {
      const last = page.length === PAGE ? page.at(-1) : undefined;
      return last ? { at: last.at, id: last.id } : null;
    },
    refetchInterval: REFRESH_MS,
  });
  const subjectOf = useSubjects();
  const actorOf = useActors();
  const words = find.trim().toLowerCase();
  const matches = (row: Entry) =>
    `${subjectOf(row).name ?? ''} ${JSON.stringify(row)}`.toLowerCase().includes(words);
  const rows = audit.data?.pages.flat().filter((row) => words === '' || matches(row));
  return (
    <div className="page">
      <PageHead title="Activity">
        <input
          className="text-input find"
          type="search"
          data-filter
          aria-label="Find in activity"
          placeholder="Find  /"
          value={find}
          onChange={(event) =>
            void navigate({
              search: event.currentTarget.value ? { find: event.currentTarget.value } : {},
              replace: true,
            })
          }
        />
        <Button variant="default" disabled={!rows || rows.length === 0} onClick={() => saveJson(rows ?? [])}>
          Export JSON
        </Button>
      </PageHead>
      <Panel title="What happened, newest first" flush>
        {audit.error && !rows ? (
          <ProblemNotice error={audit.error} retry={() => void audit.refetch()} />
        ) : null}
        {!rows && !audit.error ? <RowSkeleton rows={10} height={22} /> : null}
        {rows?.length === 0 ? (
          <div className="empty">
            <strong>{words === '' ? 'Nothing happened yet' : `Nothing matches “${find}”`}</strong>
            <p>
              Deploys, stops, approvals, closes, changes of rules and keys, fills, denials, and what Notify
              steps say. Edits of drafts are not in it.
            </p>
          </div>
        ) : null}
        <ul className="list">
          {rows?.map((row) => (
            <EntryRow key={row.id} row={row} subject={subjectOf(row)} by={actorOf(row.actor)} />
          ))}
        </ul>
        {audit.hasNextPage ? (
          <div className="empty">
            <Button
              variant="default"
              loading={audit.isFetchingNextPage}
              onClick={() => void audit.fetchNextPage()}
            >
              Older changes
            </Button>
          </div>
        ) : null}
      </Panel>
      <Panel title="As a command">
        <Curl command={`curl -s -b "$SESSION_COOKIE" ${location.origin}/api/audit`} />
      </Panel>
    </div>
  );
}

function EntryRow({ row, subject, by }: { row: Entry; subject: Subject; by: string }) {
  const { reason } = useRules();
  return (
    <li>
      <details>
        <summary data-row={row.subjectId ?? row.id}>
          <span className="row beside-marker">
            <Time at={row.at} />
            <strong>{actionWords(row.action)}</strong>
            {subject.name} {happeningWords(row, reason)}
            <span className="dim">by {by}</span>
          </span>
        </summary>
        <div className="before-after">
          <Value title="Before" value={row.before} />
          <Value title="After" value={row.after} />
        </div>
        <span className="row">
          {subject.link}
          {row.subjectId ? <Id id={row.subjectId} label="id" /> : null}
          <RequestId id={row.requestId} />
        </span>
      </details>
    </li>
  );
}

const Value = ({ title, value }: { title: string; value: unknown }) => (
  <div>
    <span className="dim small">{title}</span>
    <pre className="mono">{value === null ? '—' : JSON.stringify(value, null, 2)}</pre>
  </div>
);

function saveJson(rows: readonly Entry[]): void {
  const url = URL.createObjectURL(new Blob([JSON.stringify(rows, null, 2)], { type: 'application/json' }));
  Object.assign(document.createElement('a'), { href: url, download: 'activity.json' }).click();
  URL.revokeObjectURL(url);
}
