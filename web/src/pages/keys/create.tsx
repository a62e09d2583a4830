import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { client, newIdempotencyKey, readAgain, trpc } from '../../api/trpc.ts';
import { ProblemNotice } from '../../ui/problem.tsx';
import { LeaveWithoutKey, Reveal, useSecretDialog } from './reveal.tsx';
import { ScopeMatrix } from './scope-matrix.tsx';
import type { Scope } from './scopes.ts';

const DAY_MS = 86_400_000;
const LIVES = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '365 days' },
  { value: 'never', label: 'never' },
] as const;

/** Asks what a key may do, and shows its secret once, in the same dialog. The secret is kept nowhere else. */
export function CreateKey({ onClose }: { onClose: () => void }) {
  const [idempotencyKey] = useState(newIdempotencyKey);
  const [name, setName] = useState('');
  const [life, setLife] = useState('90');
  const [scopes, setScopes] = useState<readonly Scope[]>([]);
  const [stored, setStored] = useState(false);
  const create = useMutation({
    mutationFn: () =>
      client.apiKeys.create.mutate(
        { name, scopes: [...scopes], expiresAt: endOf(life) },
        { context: { idempotencyKey } },
      ),
    gcTime: 0,
    onSuccess: () => readAgain(trpc.apiKeys.list.pathFilter()),
  });
  const secret = create.data?.key;
  const isOnlyHere = secret !== undefined && !stored;
  const { dialog, warned, events } = useSecretDialog(isOnlyHere, onClose);
  return (
    <dialog ref={dialog} className="confirm" aria-labelledby="key-title" {...events}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!secret) create.mutate();
        }}
      >
        <h2 id="key-title">{secret ? `Key “${name}”` : 'New API key'}</h2>
        {secret ? (
          <Reveal secret={secret} stored={stored} onStored={setStored} warned={warned} onDrop={onClose} />
        ) : (
          <>
            <div className="field">
              <label htmlFor="key-name">Name</label>
              <input
                id="key-name"
                className="text-input"
                autoFocus
                autoComplete="off"
                maxLength={120}
                placeholder="What will use it"
                value={name}
                onChange={(event) => setName(event.currentTarget.value)}
              />
            </div>
            <ScopeMatrix scopes={scopes} onChange={setScopes} />
            <div className="field">
              <label htmlFor="key-life">Ends after</label>
              <select
                id="key-life"
                className="text-input"
                value={life}
                onChange={(event) => setLife(event.currentTarget.value)}
              >
                {LIVES.map(({ value, label }) => (
                  <option key={value} value={value}>
                    {label}
                  </option>
                ))}
              </select>
            </div>
            {create.error ? <ProblemNotice error={create.error} /> : null}
          </>
        )}
        <footer>
          {secret ? (
            <Button size="sm" disabled={!stored} onClick={() => dialog.current?.close()}>
              Done
            </Button>
          ) : (
            <>
              <Button variant="default" size="sm" onClick={() => dialog.current?.close()}>
                Cancel
              </Button>
              <Button
                type="submit"
                size="sm"
                loading={create.isPending}
                disabled={name.trim() === '' || scopes.length === 0}
              >
                Create key with {scopes.length === 1 ? '1 scope' : `${scopes.length} scopes`}
              </Button>
            </>
          )}
        </footer>
      </form>
      <LeaveWithoutKey isOnlyHere={isOnlyHere} />
    </dialog>
  );
}

const endOf = (life: string): string | null =>
  life === 'never' ? null : new Date(Date.now() + Number(life) * DAY_MS).toISOString();
