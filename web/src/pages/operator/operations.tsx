import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { Check, Hourglass, OctagonX } from 'lucide-react';
import type { ReactNode } from 'react';
import { readProblem } from '../../api/problem.ts';
import { client, invalidate, type Outputs, trpc } from '../../api/trpc.ts';
import { amount } from '../../format/number.ts';
import { duration } from '../../format/time.ts';
import { type Message, msg, t } from '../../language/language.ts';
import { Panel } from '../../ui/panel.tsx';
import { StatusMark, type StatusStyle } from '../../ui/status.tsx';
import type { Column } from '../../ui/table/data-table.tsx';
import { SortedTable } from '../../ui/table/sorted-table.tsx';
import { Age, Time } from '../../ui/time.tsx';

type Operations = Outputs['console']['operator']['operations'];
type Queue = Operations['queues'][number];
type Process = Operations['processes'][number];

const MIB = 1024 * 1024;

const QUEUES: Readonly<Record<string, Message>> = {
  backtest: msg('Backtests'),
  sweep: msg('Sweeps'),
  history_import: msg('Imports of history'),
  intent: msg('Intents without a decision'),
  order: msg('Orders on their way'),
  notification: msg('Notifications'),
};
const queueTitle = (name: string): string => (QUEUES[name] ? t(QUEUES[name]) : name);

const QUEUE_COLUMNS: readonly Column<Queue & { id: string }>[] = [
  { id: 'queue', title: msg('Queue'), cell: ({ name }) => queueTitle(name), card: 'name' },
  {
    id: 'waiting',
    title: msg('Waiting'),
    cell: ({ waiting }) => amount(waiting),
    isNumber: true,
    card: 'amount',
  },
  { id: 'running', title: msg('Running'), cell: ({ running }) => amount(running), isNumber: true },
  {
    id: 'oldest',
    title: msg('Oldest waits'),
    cell: ({ oldestSec }) => (oldestSec === null ? '—' : duration(oldestSec * 1000)),
    card: 'time',
  },
];

/** The queues that hold something. */
export const QueuesPanel = ({ queues }: Pick<Operations, 'queues'>) => (
  <Panel title={t('Queues')} flush>
    {queues.length === 0 ? (
      <p className="table-note dim">{t('Every queue is empty.')}</p>
    ) : (
      <SortedTable
        name="queues"
        columns={QUEUE_COLUMNS}
        rows={queues.map((queue) => ({ ...queue, id: queue.name }))}
        nameOf={({ name }) => queueTitle(name)}
      />
    )}
  </Panel>
);

const WORKS: StatusStyle = { word: msg('Works'), tone: 'ok', icon: Check };
const DRAINS: StatusStyle = { word: msg('Drains'), tone: 'warn', icon: Hourglass };
const SILENT: StatusStyle = { word: msg('Silent'), tone: 'bad', icon: OctagonX };

const processState = ({ isAlive, drainsSince }: Process): StatusStyle =>
  isAlive ? (drainsSince === null ? WORKS : DRAINS) : SILENT;

const PROCESS_COLUMNS: readonly Column<Process>[] = [
  { id: 'host', title: msg('Machine'), cell: ({ host }) => host, card: 'name' },
  { id: 'role', title: msg('Role'), cell: ({ role }) => role, card: 'detail' },
  {
    id: 'state',
    title: msg('State'),
    cell: (process) => <StatusMark statusStyle={processState(process)} />,
    card: 'state',
  },
  { id: 'version', title: msg('Version'), cell: ({ version }) => version },
  { id: 'started', title: msg('Started'), cell: ({ startedAt }) => <Time at={startedAt} />, isLesser: true },
  { id: 'seen', title: msg('Last seen'), cell: ({ seenAt }) => <Age at={seenAt} />, card: 'time' },
  { id: 'shards', title: msg('Shards'), cell: ({ shards }) => amount(shards), isNumber: true },
  {
    id: 'connections',
    title: msg('Connections'),
    cell: ({ connections }) => amount(connections),
    isNumber: true,
  },
];

/** The processes of the last hour, with their leases. One that ticks can be asked to give them away. */
export function ProcessesPanel({ processes }: Pick<Operations, 'processes'>) {
  const drain = useMutation({
    mutationFn: ({ id, drainsSince }: Process) =>
      client.console.operator.drain.mutate({ processId: id, isDraining: drainsSince === null }),
    onSettled: () => invalidate(trpc.console.operator.operations.pathFilter()),
    onError: (error) => notifications.show({ color: 'red', message: readProblem(error).message }),
  });
  const actions = (process: Process): ReactNode =>
    process.isAlive && process.role !== 'api' ? (
      <Button
        variant="default"
        disabled={drain.isPending}
        aria-label={
          process.drainsSince === null
            ? t('Drain the process on {host}', { host: process.host })
            : t('End drain of the process on {host}', { host: process.host })
        }
        onClick={() => drain.mutate(process)}
      >
        {process.drainsSince === null ? t('Drain') : t('End drain')}
      </Button>
    ) : null;
  return (
    <Panel title={t('Processes')} flush>
      <SortedTable
        name="processes"
        columns={PROCESS_COLUMNS}
        rows={processes}
        nameOf={({ host, role }) => `${host} ${role}`}
        actions={actions}
      />
      <p className="table-note dim">
        {t(
          'A process that drains gives its shards and connections to the others and takes none. The last one that works never does.',
        )}
      </p>
    </Panel>
  );
}

const COMMANDS: Readonly<Record<string, Message>> = {
  backup: msg('Backup'),
  'verify-ledger': msg('Proof of the ledger'),
  archive: msg('Archive of old orders'),
};

/** The size of the database, its archive, and the commands that are to run regularly. */
export const DatabasePanel = ({ operations: { database, commands } }: { operations: Operations }) => (
  <Panel title={t('Database')}>
    <dl className="facts">
      <dt>{t('PostgreSQL')}</dt>
      <dd>{database.version}</dd>
      <dt>{t('Size')}</dt>
      <dd>{t('{size} MiB', { size: amount(Math.round(database.bytes / MIB)) })}</dd>
      <dt>{t('Connections')}</dt>
      <dd>{amount(database.connections)}</dd>
      <dt>{t('Archive of the log')}</dt>
      <dd>
        {database.isArchived ? (database.isArchiveFailing ? t('fails') : t('works')) : t('off')}
        {database.archivedAt === null ? null : (
          <>
            {', '}
            <Time at={database.archivedAt} />
          </>
        )}
      </dd>
      {commands.map(({ name, endedAt, isOk, lastOkAt }) => (
        <Command key={name} title={COMMANDS[name] ? t(COMMANDS[name]) : name}>
          {endedAt === null ? t('never ran') : isOk ? t('ended well') : t('failed')}
          {endedAt === null ? null : (
            <>
              {', '}
              <Time at={endedAt} />
            </>
          )}
          {isOk === false && lastOkAt !== null ? (
            <>
              {'; '}
              {t('last well')} <Time at={lastOkAt} />
            </>
          ) : null}
        </Command>
      ))}
    </dl>
  </Panel>
);

const Command = ({ title, children }: { title: string; children: ReactNode }) => (
  <>
    <dt>{title}</dt>
    <dd>{children}</dd>
  </>
);
