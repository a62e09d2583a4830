import { Button } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Check, OctagonX, Truck } from 'lucide-react';
import { useState } from 'react';
import { client, trpc } from '../../api/trpc.ts';
import { amount } from '../../format/number.ts';
import { msg, t } from '../../language/language.ts';
import { Panel } from '../../ui/panel.tsx';
import { PendingRows } from '../../ui/pending-rows.tsx';
import { StatusMark, type StatusStyle } from '../../ui/status.tsx';
import { type Column, DataTable } from '../../ui/table/data-table.tsx';
import { FindField } from '../../ui/table/find-field.tsx';
import { MoreRows } from '../../ui/table/more-rows.tsx';
import { Time } from '../../ui/time.tsx';
import { accountName, type OperatedAccount } from './account-name.ts';
import { type Act, ActDialog } from './act-dialog.tsx';
import { LimitsDialog } from './limits-dialog.tsx';

type Before = { createdAt: string; id: string };

const TABLE = 'operated-accounts';
const LIMIT = 50;
const REFRESH_MS = 30_000;
const TYPING_MS = 300;
const KIB = 1024;

const ACTIVE: StatusStyle = { word: msg('Active'), tone: 'ok', icon: Check };
const SUSPENDED: StatusStyle = { word: msg('Suspended'), tone: 'bad', icon: OctagonX };
const MOVING: StatusStyle = { word: msg('Moving'), tone: 'info', icon: Truck };

const stateOf = ({ isMoving, suspendedAt }: OperatedAccount): StatusStyle =>
  isMoving ? MOVING : suspendedAt === null ? ACTIVE : SUSPENDED;

/** The accounts of this service, newest first, with their counts beside the limits. */
export function AccountsPanel() {
  const [typed, setTyped] = useState('');
  const [wanted] = useDebouncedValue(typed.trim(), TYPING_MS);
  const [act, setAct] = useState<Act | null>(null);
  const [limited, setLimited] = useState<OperatedAccount | null>(null);
  const pages = useInfiniteQuery({
    queryKey: [...trpc.console.operator.accounts.pathKey(), wanted],
    queryFn: ({ pageParam }) =>
      client.console.operator.accounts.query({
        limit: LIMIT,
        ...(wanted && { find: wanted }),
        ...(pageParam && { before: pageParam }),
      }),
    placeholderData: keepPreviousData,
    initialPageParam: null as Before | null,
    getNextPageParam: ({ rows }): Before | null => {
      const last = rows.length === LIMIT ? rows.at(-1) : undefined;
      return last ? { createdAt: last.createdAt, id: last.id } : null;
    },
    refetchInterval: REFRESH_MS,
  });
  const rows = pages.data?.pages.flatMap((page) => page.rows);
  return (
    <Panel
      title={t('Accounts, newest first')}
      flush
      actions={<FindField label={t('Beginning of an e-mail')} value={typed} onChange={setTyped} />}
    >
      <PendingRows query={pages} rows={5} height={30} />
      {rows ? (
        <DataTable
          name={TABLE}
          columns={COLUMNS}
          rows={rows}
          nameOf={accountName}
          sort={{ column: '', isDown: true }}
          actions={(account) => <Actions account={account} onAct={setAct} onLimit={setLimited} />}
        />
      ) : null}
      {rows?.length === 0 ? <p className="table-note dim">{t('No e-mail begins with this.')}</p> : null}
      <MoreRows pages={pages} label={t('Older accounts')} />
      {act ? <ActDialog act={act} onClose={() => setAct(null)} /> : null}
      {limited ? <LimitsDialog account={limited} onClose={() => setLimited(null)} /> : null}
    </Panel>
  );
}

const COLUMNS: readonly Column<OperatedAccount>[] = [
  {
    id: 'email',
    title: msg('E-mail'),
    cell: accountName,
    card: 'name',
    cellProps: ({ name }) => ({ title: name ?? undefined }),
  },
  {
    id: 'state',
    title: msg('State'),
    cell: (account) => <StatusMark statusStyle={stateOf(account)} />,
    card: 'state',
    cellProps: ({ suspensionReason }) => ({ title: suspensionReason ?? undefined }),
  },
  { id: 'created', title: msg('Created'), cell: ({ createdAt }) => <Time at={createdAt} />, isLesser: true },
  {
    id: 'seen',
    title: msg('Last seen'),
    cell: ({ lastSeenAt }) => (lastSeenAt === null ? '—' : <Time at={lastSeenAt} />),
    card: 'time',
  },
  { id: 'running', title: msg('Running'), cell: ({ running }) => amount(running), isNumber: true },
  {
    id: 'blueprints',
    title: msg('Strategies'),
    cell: (row) =>
      t('{used} of {limit}', { used: amount(row.blueprints), limit: amount(row.limits.blueprints) }),
    isNumber: true,
  },
  {
    id: 'graphs',
    title: msg('Graphs, KiB'),
    cell: (row) =>
      t('{used} of {limit}', {
        used: amount(Math.ceil(row.graphBytes / KIB)),
        limit: amount(row.limits.graphBytes / KIB),
      }),
    isNumber: true,
    isLesser: true,
  },
  {
    id: 'keys',
    title: msg('Keys'),
    cell: (row) => t('{used} of {limit}', { used: amount(row.keys), limit: amount(row.limits.keys) }),
    isNumber: true,
  },
  {
    id: 'connections',
    title: msg('Connections'),
    cell: ({ connections }) => amount(connections),
    isNumber: true,
  },
  { id: 'sessions', title: msg('Sessions'), cell: ({ sessions }) => amount(sessions), isNumber: true },
];

type ActionsProps = {
  account: OperatedAccount;
  onAct: (act: Act) => void;
  onLimit: (account: OperatedAccount) => void;
};

function Actions({ account, onAct, onLimit }: ActionsProps) {
  const name = accountName(account);
  const isSuspended = account.suspendedAt !== null;
  return (
    <span className="row tight">
      <Button
        variant="default"
        aria-label={isSuspended ? t('Resume {name}…', { name }) : t('Suspend {name}…', { name })}
        onClick={() => onAct({ kind: isSuspended ? 'resume' : 'suspend', account })}
      >
        {isSuspended ? t('Resume…') : t('Suspend…')}
      </Button>
      <Button
        variant="default"
        aria-label={t('Limits of {name}…', { name })}
        onClick={() => onLimit(account)}
      >
        {t('Limits…')}
      </Button>
      {account.sessions > 0 ? (
        <Button
          variant="default"
          aria-label={t('End sessions of {name}…', { name })}
          onClick={() => onAct({ kind: 'endSessions', account })}
        >
          {t('End sessions…')}
        </Button>
      ) : null}
    </span>
  );
}
