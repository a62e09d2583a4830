import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { serviceMs } from '../../api/clock.ts';
import type { Mode } from '../../api/mode.ts';
import { pageMode } from '../../api/page-mode.ts';
import { client, invalidate, newIdempotencyKey, trpc } from '../../api/trpc.ts';
import { modeWords } from '../../format/mode.ts';
import {
  enteredSpendingLimits,
  NO_SPENDING_LIMITS,
  spendingLimitsFault,
} from '../../format/trading/spending-limits.ts';
import { msg, t } from '../../language/language.ts';
import { ProblemNotice } from '../../ui/problem.tsx';
import { SecretFoot, useSecretDialog } from '../../ui/secret.tsx';
import { LeaveWithoutKey, Reveal } from './reveal.tsx';
import { ScopeMatrix } from './scope-matrix.tsx';
import type { Scope } from './scopes.ts';
import { SpendingLimitsFields } from './spending-limits-fields.tsx';

const DAY_MS = 86_400_000;
const LIVES = [
  { value: '7', label: msg('7 days') },
  { value: '30', label: msg('30 days') },
  { value: '90', label: msg('90 days') },
  { value: '365', label: msg('365 days') },
  { value: 'never', label: msg('never') },
] as const;
/** The maximum life of a live key; a minute less, so that it is not longer on arrival. */
const LIVE_DAYS_MAX = 90;
const ARRIVAL_MS = 60_000;

/** Asks for the rights of a key, and shows its secret once, in the same dialog. The secret is stored nowhere else. */
export function CreateKey({ onClose }: { onClose: () => void }) {
  const [idempotencyKey, setIdempotencyKey] = useState(newIdempotencyKey);
  const [name, setName] = useState('');
  const [life, setLife] = useState('90');
  const [mode, setMode] = useState<Mode>(pageMode);
  const [scopes, setScopes] = useState<readonly Scope[]>([]);
  const [spendingLimits, setSpendingLimits] = useState(NO_SPENDING_LIMITS);
  const [stored, setStored] = useState(false);
  const connecting = useQuery({ ...trpc.console.connecting.queryOptions({}), staleTime: 60_000 });
  const isLiveOn = connecting.data?.isLiveOn ?? false;
  const isLive = mode === 'live';
  const bounds = enteredSpendingLimits(spendingLimits);
  const isAgent = isLive || Object.keys(bounds).length > 0;
  const create = useMutation({
    mutationFn: () => {
      const wanted = { name, expiresAt: endOf(life) };
      const context = { context: { idempotencyKey } };
      if (!isAgent) return client.apiKeys.create.mutate({ ...wanted, scopes: [...scopes] }, context);
      const granted = isLive ? [...scopes, 'trade:live' as const] : [...scopes];
      return client.agentKeys.create.mutate({ ...wanted, scopes: granted, mode, envelope: bounds }, context);
    },
    gcTime: 0,
    onError: () => setIdempotencyKey(newIdempotencyKey()),
    onSuccess: () => {
      invalidate(trpc.agentKeys.list.pathFilter());
      invalidate(trpc.agentKeys.list.pathFilter());
    },
  });
  const secret = create.data?.key;
  const isOnlyHere = secret !== undefined && !stored;
  const { dialog, warned, events } = useSecretDialog(isOnlyHere, onClose);
  const fault = spendingLimitsFault(spendingLimits, isLive);
  const changeMode = (wanted: Mode) => {
    setMode(wanted);
    if (wanted === 'live' && !(Number(life) <= LIVE_DAYS_MAX)) setLife(String(LIVE_DAYS_MAX));
  };
  return (
    <dialog ref={dialog} className="confirm" aria-labelledby="key-title" {...events}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!secret && fault === null) create.mutate();
        }}
      >
        <h2 id="key-title">{secret ? t('Key “{name}”', { name }) : t('New API key')}</h2>
        {secret ? (
          <Reveal secret={secret} stored={stored} onStored={setStored} warned={warned} onDrop={onClose} />
        ) : (
          <>
            <div className="field">
              <label htmlFor="key-name">{t('Name')}</label>
              <input
                id="key-name"
                className="text-input"
                autoFocus
                autoComplete="off"
                maxLength={120}
                placeholder={t('What will use it')}
                value={name}
                onChange={(event) => setName(event.currentTarget.value)}
              />
            </div>
            {isLiveOn ? <ModeChoice mode={mode} onChange={changeMode} /> : null}
            <ScopeMatrix scopes={scopes} onChange={setScopes} />
            <div className="field">
              <label htmlFor="key-life">{t('Expires after')}</label>
              <select
                id="key-life"
                className="text-input"
                value={life}
                onChange={(event) => setLife(event.currentTarget.value)}
              >
                {LIVES.filter(({ value }) => !isLive || Number(value) <= LIVE_DAYS_MAX).map(
                  ({ value, label }) => (
                    <option key={value} value={value}>
                      {t(label)}
                    </option>
                  ),
                )}
              </select>
            </div>
            <details open={isLive}>
              <summary>{t('Order limits (for agents)')}</summary>
              <SpendingLimitsFields entry={spendingLimits} isLive={isLive} onChange={setSpendingLimits} />
            </details>
            {fault && isAgent ? <span className="small warn">{fault}</span> : null}
            {create.error ? <ProblemNotice error={create.error} /> : null}
          </>
        )}
        <SecretFoot isVisible={secret !== undefined} stored={stored} onClose={() => dialog.current?.close()}>
          <Button
            type="submit"
            size="sm"
            loading={create.isPending}
            disabled={name.trim() === '' || scopes.length === 0 || fault !== null}
          >
            {isLive
              ? t('Create live key with {count, plural, one {# scope} other {# scopes}}', {
                  count: scopes.length,
                })
              : t('Create key with {count, plural, one {# scope} other {# scopes}}', {
                  count: scopes.length,
                })}
          </Button>
        </SecretFoot>
      </form>
      <LeaveWithoutKey isOnlyHere={isOnlyHere} />
    </dialog>
  );
}

/** The mode of a key, which never changes. */
const ModeChoice = ({ mode, onChange }: { mode: Mode; onChange: (mode: Mode) => void }) => (
  <fieldset className="choices">
    <legend className="small">{t('Whose money it moves, for good')}</legend>
    {(['paper', 'live'] as const).map((each) => (
      <label key={each} className="choice">
        <input type="radio" name="key-mode" checked={mode === each} onChange={() => onChange(each)} />
        <span>
          <strong>{modeWords(each).title}</strong>
          <span className="dim small">
            {each === 'live'
              ? t('Real orders, within a largest buy and for 90 days at most.')
              : t('Simulated money.')}
          </span>
        </span>
      </label>
    ))}
  </fieldset>
);

const endOf = (life: string): string | null =>
  life === 'never' ? null : new Date(serviceMs() + Number(life) * DAY_MS - ARRIVAL_MS).toISOString();
