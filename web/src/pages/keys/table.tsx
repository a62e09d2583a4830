import { Button } from '@mantine/core';
import { serviceMs } from '../../api/clock.ts';
import type { ApiKey } from '../../api/row-types.ts';
import { relativeTime } from '../../format/time.ts';
import { spendingLimitsWords } from '../../format/trading/spending-limits.ts';
import { msg, t } from '../../language/language.ts';
import { Trans } from '../../language/trans.tsx';
import { Id } from '../../ui/copy.tsx';
import type { Column } from '../../ui/table/data-table.tsx';
import { SortedTable } from '../../ui/table/sorted-table.tsx';
import { Age, Time } from '../../ui/time.tsx';
import { SCOPE_COUNT } from './scopes.ts';

const WARNING_MS = 7 * 86_400_000;

/** The key of the user's column choice. */
export const TABLE = 'keys';

/** Times of two kinds are named in a card, too. */
const LABELLED = () => ({ className: 'labelled' });

export const columns: readonly Column<ApiKey>[] = [
  {
    id: 'name',
    title: msg('Name'),
    card: 'name',
    sortBy: ({ name }) => name,
    cell: ({ name, mode, client }) => (
      <>
        {name} {mode === 'live' ? <span className="chip live">{t('Live')}</span> : null}
        {client ? (
          <div className="dim small">
            {t('connected program “{name}” at {host}', { name: client.name, host: client.host })}
          </div>
        ) : null}
      </>
    ),
  },
  {
    id: 'key',
    title: msg('Key'),
    card: 'price',
    cell: ({ start, last4, client }) => (client ? t('renewed by its program') : `${start}…${last4}`),
    cellProps: () => ({ className: 'mono' }),
  },
  {
    id: 'scopes',
    title: msg('Scopes'),
    card: 'detail',
    cell: ({ scopes, envelope }) => (
      <>
        {scopeWords(scopes)}
        {envelope ? <div className="dim">{spendingLimitsWords(envelope) || t('nothing bounded')}</div> : null}
      </>
    ),
    cellProps: ({ scopes }) => ({ className: 'small text-cell', title: scopes.join('\n') }),
  },
  {
    id: 'created',
    title: msg('Created'),
    sortBy: ({ createdAt }) => createdAt,
    isLesser: true,
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
  {
    id: 'used',
    title: msg('Last used'),
    card: 'state',
    sortBy: ({ lastUsedAt }) => lastUsedAt,
    cell: ({ lastUsedAt }) => (lastUsedAt ? <Age at={lastUsedAt} /> : t('Never used')),
    cellProps: LABELLED,
  },
  {
    id: 'ends',
    title: msg('Expires'),
    card: 'time',
    sortBy: ({ revokedAt, expiresAt }) => revokedAt ?? expiresAt,
    cell: (key) => <Ending apiKey={key} />,
    cellProps: LABELLED,
  },
  { id: 'id', title: msg('ID'), isLesser: true, cell: ({ id }) => <Id id={id} label={t('key ID')} /> },
];

export type KeyAct = 'rename' | 'rotate' | 'revoke';

type TableProps = { rows: readonly ApiKey[]; onAct: (what: KeyAct, key: ApiKey) => void };

export function KeyTable({ rows, onAct }: TableProps) {
  return (
    <SortedTable
      name={TABLE}
      columns={columns}
      rows={rows}
      nameOf={({ name }) => name}
      first="created"
      rowProps={(key) => ({ tabIndex: 0, className: isKeyEnded(key) ? 'dim' : undefined })}
      actions={(key) => (
        <span className="row tight end single">
          <Button variant="default" onClick={() => onAct('rename', key)}>
            {t('Rename…')}
          </Button>
          {isKeyEnded(key) ? null : (
            <>
              {key.client ? null : (
                <Button variant="default" onClick={() => onAct('rotate', key)}>
                  {t('Rotate…')}
                </Button>
              )}
              <Button variant="default" onClick={() => onAct('revoke', key)}>
                {t('Revoke…')}
              </Button>
            </>
          )}
        </span>
      )}
    />
  );
}

const LISTED_SCOPES = 3;

const scopeWords = (scopes: readonly string[]): string => {
  if (scopes.length === SCOPE_COUNT) return t('everything');
  const rest = scopes.length - LISTED_SCOPES;
  return `${scopes.slice(0, LISTED_SCOPES).join(', ')}${rest > 0 ? t(' and {rest} more', { rest }) : ''}`;
};

export const isKeyEnded = (key: ApiKey): boolean => key.revokedAt !== null || isOver(key);

const isOver = ({ expiresAt }: ApiKey): boolean =>
  expiresAt !== null && new Date(expiresAt).getTime() <= serviceMs();

function Ending({ apiKey: { expiresAt, revokedAt } }: { apiKey: ApiKey }) {
  if (revokedAt !== null) {
    return (
      <span className="dim">
        <Trans message="revoked {time}" values={{ time: <Time at={revokedAt} /> }} />
      </span>
    );
  }
  if (expiresAt === null) return <span className="dim">{t('never')}</span>;
  const left = new Date(expiresAt).getTime() - serviceMs();
  if (left <= 0) return <span className="dim">{t('expired')}</span>;
  if (left < WARNING_MS)
    return (
      <span className="chip warn">
        {t('expires {expiresAt}', { expiresAt: relativeTime(new Date(expiresAt)) })}
      </span>
    );
  return <Time at={expiresAt} />;
}
