import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { client, type Inputs, type Outputs, trpc } from '../api/trpc.ts';
import { actionWords, entryDetails } from '../format/trading/audit.ts';
import { type Message, msg, t } from '../language/language.ts';
import { StrategyLink, type Subject, useAuditActors, useAuditSubjects } from '../ui/audit-subjects.tsx';
import { Curl, Id } from '../ui/copy.tsx';
import { Choice } from '../ui/fields/choice.tsx';
import { PageHead, Panel } from '../ui/panel.tsx';
import { PendingRows } from '../ui/pending-rows.tsx';
import { RequestId } from '../ui/problem.tsx';
import { DateRange } from '../ui/table/date-range.tsx';
import { dayRangeInstants } from '../ui/table/day-range-instants.ts';
import { ExportButton } from '../ui/table/export-button.tsx';
import { FindField } from '../ui/table/find-field.tsx';
import { MoreRows } from '../ui/table/more-rows.tsx';
import { Time } from '../ui/time.tsx';
import { useRuleCatalogue } from '../ui/use-rule-catalogue.ts';

type Entry = Outputs['console']['activity'][number];

const PAGE = 100;
const EXPORT_PAGE = 200;
const REFRESH_MS = 15_000;
const FIND_MAX = 100;
/** How long after the last key the server is asked. */
const TYPING_MS = 300;

type About = NonNullable<Inputs['console']['activity']['about']>;

const SUBJECTS = {
  trades: msg('Trades and money'),
  strategies: msg('Strategies'),
  risk: msg('Risk'),
  venues: msg('Connections'),
  access: msg('Access and channels'),
} as const satisfies Record<About, Message>;
const isSubject = (word: string | undefined): word is About =>
  word !== undefined && Object.hasOwn(SUBJECTS, word);

type Search = {
  about?: string | undefined;
  find?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
};

/** The filter for the server. Its names of actions are also in the users' words. */
const filterOf = ({ about, find, from, to }: Search) => ({
  ...(isSubject(about) && { about }),
  ...(find !== undefined && find.trim() !== '' && { find: find.trim().slice(0, FIND_MAX) }),
  ...dayRangeInstants({ from, to }),
});

type Cursor = { at: string; id: string } | null;

/** The audit trail: who changed what, fills and denials, and the strategies' messages. Entries are only ever added. */
export function ActivityPage() {
  const search = useSearch({ from: '/shell/activity' });
  const navigate = useNavigate({ from: '/activity' });
  const narrow = (change: Search) =>
    void navigate({ search: (now) => ({ ...now, ...change }), replace: true });
  const [find] = useDebouncedValue(search.find, TYPING_MS);
  const filter = filterOf({ ...search, find });
  const audit = useInfiniteQuery({
    queryKey: [...trpc.console.activity.pathKey(), filter],
    queryFn: ({ pageParam }) =>
      client.console.activity.query({ ...filter, limit: PAGE, ...(pageParam && { before: pageParam }) }),
    placeholderData: keepPreviousData,
    initialPageParam: null as Cursor,
    getNextPageParam: (page): Cursor => {
      const last = page.length === PAGE ? page.at(-1) : undefined;
      return last ? { at: last.at, id: last.id } : null;
    },
    refetchInterval: REFRESH_MS,
  });
  const subjectOf = useAuditSubjects();
  const actorOf = useAuditActors();
  const rows = audit.data?.pages.flat();
  const isNarrowed = Object.keys(filter).length > 0;
  return (
    <div className="page">
      <PageHead title={t('Activity')}>
        <Choice
          label={t('Category')}
          value={isSubject(search.about) ? search.about : ''}
          options={[
            ['', t('Everything')],
            ...Object.entries(SUBJECTS).map(([subject, title]) => [subject, t(title)] as const),
          ]}
          onChange={(about) => narrow({ about: about || undefined })}
        />
        <DateRange from={search.from} to={search.to} onChange={narrow} />
        <FindField
          label={t('Find in activity')}
          placeholder={t('Find  /')}
          value={search.find ?? ''}
          onChange={(find) => narrow({ find: find || undefined })}
        />
        <ExportButton
          label={t('Export JSON')}
          rowsWords={(count) => t('{count, plural, one {# line} other {# lines}}', { count })}
          disabled={!rows || rows.length === 0}
          page={(last: Entry | undefined) =>
            client.console.activity.query({
              ...filter,
              limit: EXPORT_PAGE,
              ...(last && { before: { at: last.at, id: last.id } }),
            })
          }
          save={saveJson}
        />
      </PageHead>
      <Panel title={t('Events, newest first')} flush>
        <PendingRows query={audit} rows={10} height={22} />
        {rows?.length === 0 ? (
          <div className="empty">
            <strong>{isNarrowed ? t('Nothing matches') : t('Nothing happened yet')}</strong>
            <p>
              {t(
                'Deploys, stops, approvals, closes, changes of rules and keys, fills, denials, and messages of Notify nodes. Edits of drafts are not included.',
              )}
            </p>
          </div>
        ) : null}
        <ul className="list">
          {rows?.map((row) => (
            <EntryRow key={row.id} row={row} subject={subjectOf(row)} by={actorOf(row.actor)} />
          ))}
        </ul>
        <MoreRows pages={audit} label={t('Older changes')} />
      </Panel>
      <Panel title={t('As a command')}>
        <Curl command={`curl -s -b "$SESSION_COOKIE" ${location.origin}/api/audit`} />
      </Panel>
    </div>
  );
}

function EntryRow({ row, subject, by }: { row: Entry; subject: Subject; by: string }) {
  const { reason } = useRuleCatalogue();
  return (
    <li>
      <details>
        <summary data-row={row.subjectId ?? row.id}>
          <span className="row beside-marker happened">
            <Time at={row.at} />
            <strong>{actionWords(row.action)}</strong>
            <span>
              {subject.strategy ? <strong>{subject.strategy.name}</strong> : subject.name}{' '}
              {entryDetails(row, reason)}
            </span>
            <span className="dim">{t('by {by}', { by })}</span>
          </span>
        </summary>
        <div className="before-after">
          <Value title={t('Before')} value={row.before} />
          <Value title={t('After')} value={row.after} />
        </div>
        <span className="row">
          {subject.strategy ? <StrategyLink {...subject.strategy} /> : null}
          {subject.link}
          {row.subjectId ? <Id id={row.subjectId} label={t('ID')} /> : null}
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
