import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useCallback, useState } from 'react';
import type { ApiKey } from '../../api/rows.ts';
import { trpc } from '../../api/trpc.ts';
import { envelopeWords } from '../../format/envelope.ts';
import { relative } from '../../format/time.ts';
import { useAsked } from '../../ui/asked.ts';
import { curl, Id } from '../../ui/copy.tsx';
import { Empty } from '../../ui/empty.tsx';
import { PageHead, Panel, RowSkeleton } from '../../ui/panel.tsx';
import { ProblemNotice } from '../../ui/problem.tsx';
import { Age, Time } from '../../ui/time.tsx';
import { CreateKey } from './create.tsx';
import { RevokeDialog } from './revoke.tsx';
import { RotateDialog } from './rotate.tsx';

const WARNING_MS = 7 * 86_400_000;

const STATUSES = ['all', 'valid', 'ended'] as const;

const keysThatAre = (keys: readonly ApiKey[], status: (typeof STATUSES)[number]): readonly ApiKey[] =>
  status === 'all' ? keys : keys.filter((key) => isDone(key) === (status === 'ended'));

export function KeysPage() {
  const keys = useQuery(trpc.agentKeys.list.queryOptions({}));
  const search = useSearch({ from: '/shell/keys' });
  const status = STATUSES.find((each) => each === search.status) ?? 'all';
  const rows = keys.data && keysThatAre(keys.data, status);
  const [open, setOpen] = useState<{ what: 'create' } | { what: 'revoke' | 'rotate'; key: ApiKey } | null>(
    null,
  );
  useAsked(
    'new',
    useCallback(() => setOpen({ what: 'create' }), []),
  );
  const close = () => setOpen(null);
  return (
    <div className="page">
      <PageHead title="API keys">
        <Button leftSection={<Plus size={14} aria-hidden />} onClick={() => setOpen({ what: 'create' })}>
          New key
        </Button>
      </PageHead>
      <Panel
        title="Keys"
        flush
        actions={
          <nav className="row tight" aria-label="Status">
            {STATUSES.map((each) => (
              <Link
                key={each}
                to="/keys"
                search={each === 'all' ? {} : { status: each }}
                className="chip"
                aria-current={each === status ? 'true' : undefined}
              >
                {each} {keys.data ? keysThatAre(keys.data, each).length : ''}
              </Link>
            ))}
          </nav>
        }
      >
        {keys.error && !keys.data ? (
          <ProblemNotice error={keys.error} retry={() => void keys.refetch()} />
        ) : null}
        {!keys.data && !keys.error ? <RowSkeleton rows={4} height={22} /> : null}
        {keys.data?.length === 0 ? (
          <Empty
            title="No keys yet"
            why="A key lets a script or an integration do exactly what its scopes say, and nothing else."
            action={<Button onClick={() => setOpen({ what: 'create' })}>New key</Button>}
            command={curl('GET', '/api/portfolio')}
          />
        ) : null}
        {keys.data && keys.data.length > 0 && rows?.length === 0 ? (
          <div className="empty">
            <strong>{status === 'valid' ? 'No key is valid' : 'No key has ended'}</strong>
          </div>
        ) : null}
        {rows && rows.length > 0 ? (
          <KeyTable
            rows={rows}
            onRevoke={(key) => setOpen({ what: 'revoke', key })}
            onRotate={(key) => setOpen({ what: 'rotate', key })}
          />
        ) : null}
      </Panel>
      {open?.what === 'create' ? <CreateKey onClose={close} /> : null}
      {open?.what === 'revoke' ? <RevokeDialog apiKey={open.key} onClose={close} /> : null}
      {open?.what === 'rotate' ? <RotateDialog apiKey={open.key} onClose={close} /> : null}
    </div>
  );
}

type TableProps = {
  rows: readonly ApiKey[];
  onRevoke: (key: ApiKey) => void;
  onRotate: (key: ApiKey) => void;
};

function KeyTable({ rows, onRevoke, onRotate }: TableProps) {
  return (
    <table className="rows cards">
      <thead>
        <tr>
          <th>Name</th>
          <th>Key</th>
          <th>Scopes</th>
          <th className="lesser">Created</th>
          <th>Last used</th>
          <th>Ends</th>
          <th className="lesser">Id</th>
          <th>
            <span className="sr">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((key) => (
          <tr
            key={key.id}
            data-row={key.id}
            tabIndex={0}
            aria-label={key.name}
            className={isDone(key) ? 'dim' : undefined}
          >
            <td data-label="Name">
              {key.name} {key.mode === 'live' ? <span className="chip live">Live</span> : null}
            </td>
            <td data-label="Key" className="mono">
              {key.start}…{key.last4}
            </td>
            <td data-label="Scopes" title={key.scopes.join('\n')} className="small text-cell">
              {scopeWords(key.scopes)}
              {key.envelope ? (
                <div className="dim">{envelopeWords(key.envelope) || 'nothing bounded'}</div>
              ) : null}
            </td>
            <td data-label="Created" className="lesser">
              <Time at={key.createdAt} />
            </td>
            <td data-label="Last used">{key.lastUsedAt ? <Age at={key.lastUsedAt} /> : 'Never used'}</td>
            <td data-label="Ends">
              <Ending apiKey={key} />
            </td>
            <td data-label="Id" className="lesser">
              <Id id={key.id} label="key id" />
            </td>
            <td className="num">
              {key.revokedAt === null && !isOver(key) ? (
                <span className="row tight end single">
                  <Button variant="default" onClick={() => onRotate(key)}>
                    Rotate…
                  </Button>
                  <Button variant="default" onClick={() => onRevoke(key)}>
                    Revoke…
                  </Button>
                </span>
              ) : null}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const ALL_SCOPES = 11;
const SHOWN = 3;

const scopeWords = (scopes: readonly string[]): string => {
  if (scopes.length === ALL_SCOPES) return 'everything';
  const rest = scopes.length - SHOWN;
  return `${scopes.slice(0, SHOWN).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
};

const isDone = (key: ApiKey): boolean => key.revokedAt !== null || isOver(key);

const isOver = ({ expiresAt }: ApiKey): boolean =>
  expiresAt !== null && new Date(expiresAt).getTime() <= Date.now();

function Ending({ apiKey: { expiresAt, revokedAt } }: { apiKey: ApiKey }) {
  if (revokedAt !== null) {
    return (
      <span className="dim">
        revoked <Time at={revokedAt} />
      </span>
    );
  }
  if (expiresAt === null) return <span className="dim">never</span>;
  const left = new Date(expiresAt).getTime() - Date.now();
  if (left <= 0) return <span className="dim">ended</span>;
  if (left < WARNING_MS) return <span className="chip warn">ends {relative(new Date(expiresAt))}</span>;
  return <Time at={expiresAt} />;
}
