import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { Ban, Check, Clock, Hourglass } from 'lucide-react';
import { useState } from 'react';
import { client, type Inputs, newIdempotencyKey, readAgain, trpc } from '../../api/trpc.ts';
import {
  answerWords,
  type Channel,
  type Delivery,
  kindTitle,
  type NotificationOptions,
} from '../../format/notification.ts';
import { curl, Id } from '../../ui/copy.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Panel, RowSkeleton } from '../../ui/panel.tsx';
import { ProblemNotice } from '../../ui/problem.tsx';
import { type Look, StatusMark } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';

const SHOWN = 25;
const SHOWN_MAX = 200;
const REFRESH_MS = 10_000;

type Status = Delivery['status'];

const LOOKS: Readonly<Record<Status, Look>> = {
  waiting: { word: 'Waiting', tone: 'info', icon: Hourglass },
  delivered: { word: 'Arrived', tone: 'ok', icon: Check },
  expired: { word: 'Too late', tone: 'idle', icon: Clock },
  refused: { word: 'Refused', tone: 'bad', icon: Ban },
};
const STATUSES = Object.keys(LOOKS) as Status[];

type Props = { channels: readonly Channel[]; kinds: NotificationOptions['kinds'] };

/** What was sent where, and what came back. */
export function DeliveryLog({ channels, kinds }: Props) {
  const [filter, setFilter] = useState<Inputs['notifications']['deliveries']>({ limit: SHOWN });
  const log = useQuery({
    ...trpc.notifications.deliveries.queryOptions(filter),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });
  const rows = log.data;
  const { limit = SHOWN, ...narrowed } = filter;
  return (
    <Panel
      title="What was sent"
      flush
      actions={<Filters channels={channels} filter={filter} onFilter={setFilter} />}
    >
      {log.error && !rows ? <ProblemNotice error={log.error} retry={() => void log.refetch()} /> : null}
      {!rows && !log.error ? <RowSkeleton rows={5} height={22} /> : null}
      {rows?.length === 0 ? (
        <Empty
          title={Object.keys(narrowed).length > 0 ? 'Nothing matches' : 'Nothing was sent yet'}
          why="Every notification and test is listed here for 30 days, with what its receiver answered."
          command={curl('GET', '/api/notification-deliveries')}
        />
      ) : null}
      {rows && rows.length > 0 ? <LogTable rows={rows} kinds={kinds} channels={channels} /> : null}
      {rows && rows.length >= limit && limit < SHOWN_MAX ? (
        <div className="empty">
          <Button
            variant="default"
            loading={log.isFetching}
            onClick={() => setFilter({ ...filter, limit: SHOWN_MAX })}
          >
            Older ones
          </Button>
        </div>
      ) : null}
    </Panel>
  );
}

type FilterProps = {
  channels: readonly Channel[];
  filter: Inputs['notifications']['deliveries'];
  onFilter: (filter: Inputs['notifications']['deliveries']) => void;
};

function Filters({ channels, filter: { channelId, status }, onFilter }: FilterProps) {
  const narrow = (wanted: { channelId?: string | undefined; status?: Status | undefined }) =>
    onFilter({
      limit: SHOWN,
      ...(wanted.channelId !== undefined && { channelId: wanted.channelId }),
      ...(wanted.status !== undefined && { status: wanted.status }),
    });
  return (
    <>
      <select
        className="text-input choice-input"
        aria-label="Channel"
        value={channelId ?? ''}
        onChange={({ currentTarget: { value } }) =>
          narrow({ status, channelId: channels.find(({ id }) => id === value)?.id })
        }
      >
        <option value="">Every channel</option>
        {channels.map(({ id, label }) => (
          <option key={id} value={id}>
            {label}
          </option>
        ))}
      </select>
      <select
        className="text-input choice-input"
        aria-label="Status"
        value={status ?? ''}
        onChange={({ currentTarget: { value } }) =>
          narrow({ channelId, status: STATUSES.find((each) => each === value) })
        }
      >
        <option value="">Every status</option>
        {STATUSES.map((each) => (
          <option key={each} value={each}>
            {LOOKS[each].word}
          </option>
        ))}
      </select>
    </>
  );
}

type TableProps = Props & { rows: readonly Delivery[] };

function LogTable({ rows, kinds, channels }: TableProps) {
  const on = new Set(channels.filter(({ state }) => state === 'on').map(({ id }) => id));
  return (
    <table className="rows cards">
      <thead>
        <tr>
          <th>When</th>
          <th>Channel</th>
          <th>What</th>
          <th>Status</th>
          <th className="num">Tries</th>
          <th>Answer</th>
          <th className="lesser">Id</th>
          <th>
            <span className="sr">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id} data-row={row.notificationId} data-delivery={row.id} tabIndex={0}>
            <td data-label="When">
              <Time at={row.createdAt} />
            </td>
            <td data-label="Channel">{row.channelLabel}</td>
            <td data-label="What">
              {kindTitle(kinds, row.kind)} {row.replay ? <span className="chip">again</span> : null}
            </td>
            <td data-label="Status">
              <StatusMark look={LOOKS[row.status]} />
            </td>
            <td data-label="Tries" className="num">
              {row.attempts}
            </td>
            <td data-label="Answer" className="small text-cell">
              {answerWords(row) ?? '—'}
            </td>
            <td data-label="Id" className="lesser">
              <Id id={row.notificationId} label="notification id" />
            </td>
            <td className="num">
              {row.status === 'waiting' || !on.has(row.channelId) ? null : <SendAgain delivery={row} />}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function SendAgain({ delivery: { id, channelLabel } }: { delivery: Delivery }) {
  const again = useMutation({
    mutationFn: () =>
      client.notifications.replay.mutate({ id }, { context: { idempotencyKey: newIdempotencyKey() } }),
    onSettled: () => readAgain(trpc.notifications.pathFilter()),
    onSuccess: () =>
      notifications.show({ message: `It goes to “${channelLabel}” once more, under the same id.` }),
    onError: () =>
      notifications.show({ color: 'red', message: 'It could not be sent again. Is its channel still on?' }),
  });
  return (
    <Button variant="default" loading={again.isPending} onClick={() => again.mutate()}>
      Send again
    </Button>
  );
}
