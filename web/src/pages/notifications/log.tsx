import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { keepPreviousData, useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { Ban, Check, Clock, Hourglass } from 'lucide-react';
import { useState } from 'react';
import { client, type Inputs, invalidate, newIdempotencyKey, trpc } from '../../api/trpc.ts';
import {
  answerWords,
  type Channel,
  type Delivery,
  kindTitle,
  type NotificationOptions,
} from '../../format/notifications/notification-words.ts';
import { msg, t } from '../../language/language.ts';
import { usePageSize } from '../../settings/tables.ts';
import { curl, Id } from '../../ui/copy.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Choice } from '../../ui/fields/choice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { PendingRows } from '../../ui/pending-rows.tsx';
import { StatusMark, type StatusStyle } from '../../ui/status.tsx';
import { ColumnMenu } from '../../ui/table/column-menu.tsx';
import { type Column, DataTable } from '../../ui/table/data-table.tsx';
import { Filters } from '../../ui/table/filters.tsx';
import { MoreRows } from '../../ui/table/more-rows.tsx';
import { PageSize } from '../../ui/table/page-size.tsx';
import { Time } from '../../ui/time.tsx';

const TABLE = 'deliveries';
const REFRESH_MS = 10_000;

type Status = Delivery['status'];
type Narrowed = Pick<Inputs['console']['deliveries'], 'channelId' | 'status'>;
type Before = NonNullable<Inputs['console']['deliveries']['before']>;

const LOOKS: Readonly<Record<Status, StatusStyle>> = {
  waiting: { word: msg('Waiting'), tone: 'info', icon: Hourglass },
  delivered: { word: msg('Arrived'), tone: 'ok', icon: Check },
  expired: { word: msg('Too late'), tone: 'idle', icon: Clock },
  refused: { word: msg('Refused'), tone: 'bad', icon: Ban },
};
const STATUSES = Object.keys(LOOKS) as Status[];

type Props = { channels: readonly Channel[]; kinds: NotificationOptions['kinds'] };

/** The deliveries: payload, channel, and response. */
export function DeliveryLog({ channels, kinds }: Props) {
  const [filter, setFilter] = useState<Narrowed>({});
  const limit = usePageSize(TABLE);
  const pages = useInfiniteQuery({
    queryKey: [...trpc.notifications.pathKey(), 'log', filter, limit],
    queryFn: ({ pageParam }) =>
      client.console.deliveries.query({ ...filter, limit, ...(pageParam && { before: pageParam }) }),
    placeholderData: keepPreviousData,
    initialPageParam: null as Before | null,
    getNextPageParam: (page): Before | null => {
      const last = page.length === limit ? page.at(-1) : undefined;
      return last ? { at: last.createdAt, id: last.id } : null;
    },
    refetchInterval: REFRESH_MS,
  });
  const rows = pages.data?.pages.flat();
  const columns = columnsFor(kinds);
  return (
    <Panel
      title={t('What was sent')}
      flush
      actions={
        <Filters values={[filter.channelId, filter.status]}>
          <DeliveryFilters channels={channels} filter={filter} onFilter={setFilter} />
          <ColumnMenu name={TABLE} columns={columns} />
        </Filters>
      }
    >
      <PendingRows query={pages} rows={5} height={22} />
      {rows?.length === 0 ? (
        <EmptyState
          title={Object.keys(filter).length > 0 ? t('Nothing matches') : t('Nothing was sent yet')}
          why={t('Every notification and test is listed here for 30 days, with what its receiver answered.')}
          command={curl('GET', '/api/notification-deliveries')}
        />
      ) : null}
      {rows && rows.length > 0 ? <LogTable rows={rows} columns={columns} channels={channels} /> : null}
      <MoreRows pages={pages} label={t('Older ones')}>
        <PageSize name={TABLE} />
      </MoreRows>
    </Panel>
  );
}

type FilterProps = {
  channels: readonly Channel[];
  filter: Narrowed;
  onFilter: (filter: Narrowed) => void;
};

function DeliveryFilters({ channels, filter: { channelId, status }, onFilter }: FilterProps) {
  const narrow = (wanted: { channelId?: string | undefined; status?: Status | undefined }) =>
    onFilter({
      ...(wanted.channelId !== undefined && { channelId: wanted.channelId }),
      ...(wanted.status !== undefined && { status: wanted.status }),
    });
  return (
    <>
      <Choice
        label={t('Channel')}
        value={channelId ?? ''}
        options={[['', t('Every channel')], ...channels.map(({ id, label }) => [id, label] as const)]}
        onChange={(value) => narrow({ status, channelId: channels.find(({ id }) => id === value)?.id })}
      />
      <Choice
        label={t('Status')}
        value={status ?? ''}
        options={[['', t('Every status')], ...STATUSES.map((each) => [each, t(LOOKS[each].word)] as const)]}
        onChange={(value) => narrow({ channelId, status: STATUSES.find((each) => each === value) })}
      />
    </>
  );
}

const columnsFor = (kinds: NotificationOptions['kinds']): readonly Column<Delivery>[] => [
  { id: 'when', title: msg('When'), card: 'time', cell: (row) => <Time at={row.createdAt} /> },
  { id: 'channel', title: msg('Channel'), card: 'detail', cell: (row) => row.channelLabel },
  {
    id: 'what',
    title: msg('What'),
    card: 'name',
    cell: (row) => (
      <>
        {kindTitle(kinds, row.kind)} {row.replay ? <span className="chip">{t('again')}</span> : null}
      </>
    ),
  },
  {
    id: 'status',
    title: msg('Status'),
    card: 'state',
    cell: (row) => <StatusMark statusStyle={LOOKS[row.status]} />,
  },
  { id: 'tries', title: msg('Tries'), isNumber: true, cell: (row) => row.attempts },
  {
    id: 'answer',
    title: msg('Answer'),
    cell: (row) => answerWords(row) ?? '—',
    cellProps: () => ({ className: 'small text-cell' }),
  },
  { id: 'id', title: msg('ID'), cell: (row) => <Id id={row.notificationId} label={t('notification ID')} /> },
];

const NEWEST = { column: 'when', isDown: true };

type TableProps = Pick<Props, 'channels'> & {
  rows: readonly Delivery[];
  columns: readonly Column<Delivery>[];
};

function LogTable({ rows, columns, channels }: TableProps) {
  const on = new Set(channels.filter(({ state }) => state === 'on').map(({ id }) => id));
  return (
    <DataTable
      name={TABLE}
      columns={columns}
      rows={rows}
      nameOf={({ channelLabel, createdAt }) => `${channelLabel}, ${createdAt}`}
      sort={NEWEST}
      rowProps={() => ({ tabIndex: 0 })}
      actions={(row) =>
        row.status === 'waiting' || !on.has(row.channelId) ? null : <SendAgain delivery={row} />
      }
    />
  );
}

function SendAgain({ delivery: { id, channelLabel } }: { delivery: Delivery }) {
  const again = useMutation({
    mutationFn: () =>
      client.notifications.replay.mutate({ id }, { context: { idempotencyKey: newIdempotencyKey() } }),
    onSettled: () => invalidate(trpc.notifications.pathFilter()),
    onSuccess: () =>
      notifications.show({
        message: t('It goes to “{channelLabel}” once more, under the same id.', { channelLabel }),
      }),
    onError: () =>
      notifications.show({
        color: 'red',
        message: t('It could not be sent again. Is its channel still on?'),
      }),
  });
  return (
    <Button variant="default" loading={again.isPending} onClick={() => again.mutate()}>
      {t('Send again')}
    </Button>
  );
}
