import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { client, type Outputs, trpc } from '../../api/trpc.ts';
import {
  enteredSpendingLimits,
  NO_SPENDING_LIMITS,
  spendingLimitsFault,
} from '../../format/trading/spending-limits.ts';
import { msg, t } from '../../language/language.ts';
import { Trans } from '../../language/trans.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { PageHead, Panel } from '../../ui/panel.tsx';
import { ProblemNotice } from '../../ui/problem.tsx';
import { Age } from '../../ui/time.tsx';
import { DANGEROUS_SCOPES } from './scopes.ts';
import { SpendingLimitsFields } from './spending-limits-fields.tsx';

type AccessRequest = Outputs['console']['accessRequest'];

const LIVES = [
  { days: 1, label: msg('24 hours') },
  { days: 7, label: msg('7 days') },
  { days: 30, label: msg('30 days') },
  { days: 90, label: msg('90 days') },
] as const;

/** Asks the user whether a program may act for the account, and within which limits. */
export function ConnectPage() {
  const { request = '' } = useSearch({ from: '/shell/connect' });
  const access = useQuery({
    ...trpc.console.accessRequest.queryOptions({ request }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <div className="page narrow">
      <PageHead title={t('A program asks for access')} />
      {access.error ? <ProblemNotice error={access.error} /> : null}
      {access.data ? (
        <Panel title={t('Who asks')}>
          <dl className="facts">
            <dt>{t('It calls itself')}</dt>
            <dd>“{access.data.name}”</dd>
            <dt>{t('Access is sent to')}</dt>
            <dd className="mono">{access.data.host}</dd>
            <dt>{t('Registered')}</dt>
            <dd>
              <Age at={access.data.registeredAt} />
            </dd>
          </dl>
          <div className="notice warn" role="note">
            {t(
              'This name is not verified: any program can take any. Go on only if you started this yourself, a moment ago, in a program at the address above.',
            )}
          </div>
          {access.data.problem === null ? (
            <Decision request={request} access={access.data} />
          ) : (
            <>
              <div className="notice bad" role="alert">
                <span>
                  <Trans
                    message="The request cannot be granted: {problem}"
                    values={{ problem: access.data.problem }}
                  />
                </span>
              </div>
              <Decline access={access.data} />
            </>
          )}
        </Panel>
      ) : null}
    </div>
  );
}

function Decision({ request, access }: { request: string; access: AccessRequest }) {
  const [name, setName] = useState(access.name);
  const [scopes, setScopes] = useState<AccessRequest['scopes']>(access.scopes);
  const [lifetimeDays, setLifetimeDays] = useState(30);
  // The safe end of what can be granted: the user loosens it knowingly.
  const [entry, setEntry] = useState({ ...NO_SPENDING_LIMITS, alwaysApprove: true });
  const envelope = enteredSpendingLimits(entry);
  const fault = spendingLimitsFault(entry, false);
  const grant = useMutation({
    mutationFn: () =>
      client.console.grantAccess.mutate({
        request,
        name,
        scopes,
        lifetimeDays,
        ...(Object.keys(envelope).length > 0 && { envelope }),
      }),
    gcTime: 0,
    onSuccess: ({ redirectTo }) => location.assign(redirectTo),
  });
  const dangerous = scopes.filter((scope) => DANGEROUS_SCOPES.has(scope));
  const toggle = (scope: AccessRequest['scopes'][number]) =>
    setScopes(scopes.includes(scope) ? scopes.filter((each) => each !== scope) : [...scopes, scope]);
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (fault === null) grant.mutate();
      }}
    >
      <fieldset className="choices">
        <legend className="small">{t('What it asks for; take away what it does not need')}</legend>
        {access.scopes.map((scope) => (
          <label key={scope} className="row">
            <input type="checkbox" checked={scopes.includes(scope)} onChange={() => toggle(scope)} />
            <code>{scope}</code>
          </label>
        ))}
        {dangerous.length > 0 ? (
          <span className="small warn">
            {t('Can move money or its limits: {dangerous}.', { dangerous: dangerous.join(', ') })}
          </span>
        ) : null}
      </fieldset>
      <SpendingLimitsFields entry={entry} isLive={false} onChange={setEntry} />
      <p className="plain dim small">{t('It trades with paper money only.')}</p>
      <div className="field">
        <label htmlFor="connect-life">{t('Expires after')}</label>
        <select
          id="connect-life"
          className="text-input"
          value={lifetimeDays}
          onChange={(event) => setLifetimeDays(Number(event.currentTarget.value))}
        >
          {LIVES.map(({ days, label }) => (
            <option key={days} value={days}>
              {t(label)}
            </option>
          ))}
        </select>
      </div>
      <TextField
        id="connect-name"
        label={t('Name in your list of keys')}
        autoComplete="off"
        maxLength={120}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      {fault ? <span className="small warn">{fault}</span> : null}
      {grant.error ? <ProblemNotice error={grant.error} /> : null}
      <div className="row">
        <Button
          type="submit"
          size="sm"
          loading={grant.isPending || grant.isSuccess}
          disabled={name.trim() === '' || scopes.length === 0 || fault !== null}
        >
          {t('Allow {count, plural, one {# scope} other {# scopes}}', { count: scopes.length })}
        </Button>
        <Decline access={access} />
      </div>
    </form>
  );
}

/** Answers the program that it gets no access, and only when it is pressed: an open redirect serves strangers. */
const Decline = ({ access }: { access: AccessRequest }) => (
  <Button variant="default" size="sm" onClick={() => location.assign(access.declineTo)}>
    {t('Decline and go back to {host}', { host: access.host })}
  </Button>
);
