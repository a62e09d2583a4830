import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useCallback, useState } from 'react';
import type { ApiKey } from '../../api/row-types.ts';
import { trpc } from '../../api/trpc.ts';
import { msg, t } from '../../language/language.ts';
import { curl } from '../../ui/copy.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHead, Panel } from '../../ui/panel.tsx';
import { PendingRows } from '../../ui/pending-rows.tsx';
import { ColumnMenu } from '../../ui/table/column-menu.tsx';
import { useDialogFromAddress } from '../../ui/use-dialog-from-address.ts';
import { CreateKey } from './create.tsx';
import { RenameDialog } from './rename.tsx';
import { RevokeDialog } from './revoke.tsx';
import { RotateKeyDialog } from './rotate.tsx';
import { columns, isKeyEnded, type KeyAct, KeyTable, TABLE } from './table.tsx';

const STATUSES = ['all', 'valid', 'ended'] as const;

const FILTERS = { all: msg('all'), valid: msg('valid'), ended: msg('expired') } as const;

const keysThatAre = (keys: readonly ApiKey[], status: (typeof STATUSES)[number]): readonly ApiKey[] =>
  status === 'all' ? keys : keys.filter((key) => isKeyEnded(key) === (status === 'ended'));

/** Marks the link of exactly this filter as the open one. */
const HERE_ALONE = { exact: true };

export function KeysPage() {
  const keys = useQuery(trpc.agentKeys.list.queryOptions({}));
  const search = useSearch({ from: '/shell/keys' });
  const status = STATUSES.find((each) => each === search.status) ?? 'all';
  const rows = keys.data && keysThatAre(keys.data, status);
  const [open, setOpen] = useState<{ what: 'create' } | { what: KeyAct; key: ApiKey } | null>(null);
  useDialogFromAddress(
    'new',
    useCallback(() => setOpen({ what: 'create' }), []),
  );
  const close = () => setOpen(null);
  return (
    <div className="page">
      <PageHead title={t('API keys')}>
        <Button leftSection={<Plus size={14} aria-hidden />} onClick={() => setOpen({ what: 'create' })}>
          {t('New key')}
        </Button>
      </PageHead>
      <Panel
        title={t('Keys')}
        flush
        actions={
          <nav className="row tight" aria-label={t('Status')}>
            {STATUSES.map((each) => (
              <Link
                key={each}
                to="/keys"
                search={each === 'all' ? {} : { status: each }}
                className="chip"
                activeOptions={HERE_ALONE}
              >
                {t(FILTERS[each])} {keys.data ? keysThatAre(keys.data, each).length : ''}
              </Link>
            ))}
            <ColumnMenu name={TABLE} columns={columns} />
          </nav>
        }
      >
        <PendingRows query={keys} rows={4} height={22} />
        {keys.data?.length === 0 ? (
          <EmptyState
            title={t('No keys yet')}
            why={t('A key lets a script or an integration do exactly what its scopes say, and nothing else.')}
            action={<Button onClick={() => setOpen({ what: 'create' })}>{t('New key')}</Button>}
            command={curl('GET', '/api/portfolio')}
          />
        ) : null}
        {keys.data && keys.data.length > 0 && rows?.length === 0 ? (
          <div className="empty">
            <strong>{status === 'valid' ? t('No key is valid') : t('No key has expired')}</strong>
          </div>
        ) : null}
        {rows && rows.length > 0 ? (
          <KeyTable rows={rows} onAct={(what, key) => setOpen({ what, key })} />
        ) : null}
      </Panel>
      {open?.what === 'create' ? <CreateKey onClose={close} /> : null}
      {open?.what === 'rename' ? <RenameDialog apiKey={open.key} onClose={close} /> : null}
      {open?.what === 'revoke' ? <RevokeDialog apiKey={open.key} onClose={close} /> : null}
      {open?.what === 'rotate' ? <RotateKeyDialog apiKey={open.key} onClose={close} /> : null}
    </div>
  );
}
