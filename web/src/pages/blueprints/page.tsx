import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { FileUp, Plus } from 'lucide-react';
import { useCallback, useRef, useState } from 'react';
import { trpc } from '../../api/trpc.ts';
import { graphFault } from '../../editor/drawing/json.ts';
import { isFields } from '../../editor/drawing/model.ts';
import { heldWords } from '../../format/trading/held.ts';
import { type Message, msg, t } from '../../language/language.ts';
import { curl } from '../../ui/copy.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Choice } from '../../ui/fields/choice.tsx';
import { onDemand } from '../../ui/help/on-demand.tsx';
import { PageHead, Panel } from '../../ui/panel.tsx';
import { PendingRows } from '../../ui/pending-rows.tsx';
import type { BlueprintStatus } from '../../ui/status.tsx';
import { ColumnMenu } from '../../ui/table/column-menu.tsx';
import { Filters } from '../../ui/table/filters.tsx';
import { FindField } from '../../ui/table/find-field.tsx';
import { useDialogFromAddress } from '../../ui/use-dialog-from-address.ts';
import { type BulkAct, BulkDialog } from './bulk-dialog.tsx';
import { NAME_MAX, useCreate, useDuplicate } from './create.ts';
import { NewBlueprint } from './new.tsx';
import { BlueprintTable, columnsOf, TABLE } from './table.tsx';

const TagsDialog = onDemand(async () => (await import('./tags-dialog.tsx')).TagsDialog);

const STATUSES: readonly BlueprintStatus[] = ['running', 'error', 'draft', 'stopped'];

/** Strategies whose next action is read for the list. */
const NEXT_MAX = 20;

/** Running and failed strategies are listed first. */
const isDeployed = ({ status }: { status: BlueprintStatus }) => status === 'running' || status === 'error';

const FILTERS: Readonly<Record<BlueprintStatus, { word: Message; none: Message }>> = {
  running: { word: msg('running'), none: msg('No strategy is running') },
  error: { word: msg('error'), none: msg('No strategy is in error') },
  draft: { word: msg('draft'), none: msg('No strategy is a draft') },
  stopped: { word: msg('stopped'), none: msg('No strategy is stopped') },
};

function noneWords(status: string): string {
  const known = STATUSES.find((each) => each === status);
  return known ? t(FILTERS[known].none) : t('No strategy matches');
}

export function BlueprintsPage() {
  const { status, tag, find = '' } = useSearch({ from: '/shell/blueprints' });
  const navigate = useNavigate({ from: '/blueprints' });
  const list = useQuery({
    ...trpc.console.blueprints.queryOptions(tag === undefined ? {} : { tag }),
    placeholderData: keepPreviousData,
  });
  const account = useQuery(trpc.console.account.queryOptions({}));
  const sparks = useQuery({ ...trpc.console.sparks.queryOptions({}), staleTime: 60_000 });
  const data = {
    made: new Map(account.data?.strategies.map((each) => [each.blueprintId, each])),
    lines: new Map(sparks.data?.map(({ blueprintId, made }) => [blueprintId, made])),
    held: heldWords(account.data?.positions),
    // In a fixed order, which the rows do not change: it is the key of a query.
    running: (list.data ?? [])
      .filter(({ status: is }) => is === 'running')
      .map(({ id }) => id)
      .sort()
      .slice(0, NEXT_MAX),
    hasErrors: list.data?.some(({ error }) => error !== null) ?? false,
    hasTags: list.data?.some(({ tags }) => tags.length > 0) ?? false,
  };
  const [adding, setAdding] = useState(false);
  useDialogFromAddress(
    'new',
    useCallback(() => setAdding(true), []),
  );
  const create = useCreate();
  const duplicate = useDuplicate();
  const open = (id: string) => void navigate({ to: '/blueprints/$id', params: { id } });
  const openWith = (id: string, act: 'draw' | 'deploy' | 'stop') =>
    void navigate({ to: '/blueprints/$id', params: { id }, search: { do: act } });
  const words = find.trim().toLowerCase();
  const rows = list.data
    ?.filter(
      ({ status: is, name, id, tags }) =>
        (!status || is === status) &&
        (words === '' || `${name} ${id} ${tags.join(' ')}`.toLowerCase().includes(words)),
    )
    .toSorted((one, other) => Number(isDeployed(other)) - Number(isDeployed(one)));
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());
  // Hidden rows are not acted on.
  const chosen = rows?.filter(({ id }) => marked.has(id)) ?? [];
  const [act, setAct] = useState<BulkAct | 'tag' | null>(null);
  return (
    <div className="page">
      <PageHead title={t('Strategies')}>
        <ImportButton onImport={(name, visual) => create.mutate({ name, visual })} />
        <Button leftSection={<Plus size={14} aria-hidden />} onClick={() => setAdding(true)}>
          {t('New strategy')}
        </Button>
      </PageHead>
      <Panel
        title={t('All strategies')}
        flush
        actions={
          <>
            <Filters values={[find, tag]}>
              <FindField
                label={t('Find in strategies')}
                placeholder={t('Find  /')}
                isShort
                value={find}
                onChange={(typed) =>
                  void navigate({ search: (now) => ({ ...now, find: typed || undefined }), replace: true })
                }
              />
              <TagFilter
                tag={tag}
                onTag={(next) => void navigate({ search: (now) => ({ ...now, tag: next }) })}
              />
              <ColumnMenu name={TABLE} columns={columnsOf(data)} />
            </Filters>
            <nav className="row tight" aria-label={t('Status')}>
              <StatusFilter status={undefined} tag={tag} find={find} count={list.data?.length} />
              {STATUSES.map((each) => (
                <StatusFilter
                  key={each}
                  status={each}
                  tag={tag}
                  find={find}
                  count={list.data?.filter((row) => row.status === each).length}
                />
              ))}
            </nav>
          </>
        }
      >
        <PendingRows query={list} rows={6} height={22} />
        {rows?.length === 0 ? (
          <EmptyState
            title={
              words !== '' || tag !== undefined
                ? t('No strategy matches')
                : status
                  ? noneWords(status)
                  : t('No strategies yet')
            }
            why={t('A strategy is a graph: prices in, conditions, risk checks, orders out.')}
            action={<Button onClick={() => setAdding(true)}>{t('New strategy')}</Button>}
            command={curl('POST', '/api/blueprints', { name: 'My strategy' })}
          />
        ) : null}
        {chosen.length > 0 ? (
          <section className="body row" aria-label={t('Selection')}>
            <span>
              {t('{count, plural, one {# strategy} other {# strategies}} chosen', { count: chosen.length })}
            </span>
            <Button variant="default" onClick={() => setAct('tag')}>
              {t('Tags…')}
            </Button>
            <Button variant="default" onClick={() => setAct('stop')}>
              {t('Stop…')}
            </Button>
            <Button variant="default" onClick={() => setAct('delete')}>
              {t('Delete…')}
            </Button>
          </section>
        ) : null}
        {rows && rows.length > 0 ? (
          <BlueprintTable
            rows={rows}
            data={data}
            chosen={marked}
            onChoose={setMarked}
            onOpen={open}
            onAct={openWith}
            onDuplicate={(row) => duplicate.mutate(row)}
          />
        ) : null}
      </Panel>
      {act === 'tag' ? <TagsDialog blueprints={chosen} onClose={() => setAct(null)} /> : null}
      {act === 'stop' || act === 'delete' ? (
        <BulkDialog act={act} blueprints={chosen} onClose={() => setAct(null)} />
      ) : null}
      {adding ? (
        <NewBlueprint onClose={() => setAdding(false)} onCreated={(id) => openWith(id, 'draw')} />
      ) : null}
    </div>
  );
}

/** Every tag of the account; absent if there is none. A tag from an old address stays visible, and can be removed. */
function TagFilter({ tag, onTag }: { tag: string | undefined; onTag: (tag: string | undefined) => void }) {
  const { data = [] } = useQuery(trpc.blueprints.tags.queryOptions({}));
  if (data.length === 0 && tag === undefined) return null;
  const known = data.some((each) => each.tag === tag);
  return (
    <Choice
      label={t('Tag')}
      value={tag ?? ''}
      options={[
        ['', t('Every tag')],
        ...(tag === undefined || known ? [] : [[tag, tag] as const]),
        ...data.map((each) => [each.tag, `${each.tag} (${each.blueprintIds.length})`] as const),
      ]}
      onChange={(value) => onTag(value || undefined)}
    />
  );
}

/** Marks the link of exactly this filter as the open one. */
const HERE_ALONE = { exact: true };

type StatusFilterProps = {
  status: BlueprintStatus | undefined;
  tag: string | undefined;
  find: string;
  count: number | undefined;
};

const StatusFilter = ({ status, tag, find, count }: StatusFilterProps) => (
  <Link
    to="/blueprints"
    search={{ ...(status && { status }), ...(tag && { tag }), ...(find && { find }) }}
    className="chip"
    activeOptions={HERE_ALONE}
  >
    {status ? t(FILTERS[status].word) : t('all')} {count ?? ''}
  </Link>
);

function ImportButton({ onImport }: { onImport: (name: string, visual: unknown) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const refuse = (message: string) => notifications.show({ color: 'red', message });
  const read = async (file: File) => {
    try {
      const content: unknown = JSON.parse(await file.text());
      const fields = isFields(content) ? content : {};
      const visual = 'visual' in fields ? fields['visual'] : content;
      const fault = graphFault(visual);
      if (fault) return void refuse(`${file.name}: ${fault}`);
      const named = typeof fields['name'] === 'string' ? fields['name'].trim() : '';
      onImport((named || file.name.replace(/\.json$/i, '') || t('Imported')).slice(0, NAME_MAX), visual);
    } catch (error) {
      refuse(
        t('{name} is not JSON: {fault}', {
          name: file.name,
          fault: error instanceof Error ? error.message : String(error),
        }),
      );
    }
  };
  return (
    <>
      <input
        ref={input}
        type="file"
        accept="application/json,.json"
        hidden
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? [];
          if (file) void read(file);
          event.currentTarget.value = '';
        }}
      />
      <Button
        variant="default"
        leftSection={<FileUp size={14} aria-hidden />}
        onClick={() => input.current?.click()}
      >
        {t('Import JSON')}
      </Button>
    </>
  );
}
