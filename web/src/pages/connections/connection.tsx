import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { CircleCheck, CircleHelp, CircleX, OctagonX } from 'lucide-react';
import { serviceMs } from '../../api/clock.ts';
import { invalidate, trpc } from '../../api/trpc.ts';
import { usd } from '../../format/number.ts';
import { relativeTime, withLocalTimes } from '../../format/time.ts';
import {
  type Connection,
  type ConnectionCheck,
  canResume,
  checkTitle,
  checkTone,
  checkVerdict,
  clockWords,
  environmentWords,
  isInUse,
  stateEffect,
} from '../../format/trading/connection.ts';
import { venueTitle } from '../../format/trading/venue.ts';
import { translateReason as reasonOf, t } from '../../language/language.ts';
import { Trans } from '../../language/trans.tsx';
import { useSettings } from '../../settings/store.ts';
import { Panel } from '../../ui/panel.tsx';
import { ProblemNotice } from '../../ui/problem.tsx';
import { ConnectionStateMark } from '../../ui/status.tsx';
import { Age, Time } from '../../ui/time.tsx';
import { Differences } from './differences.tsx';

/** The actions on one connection, apart from a new check. */
export type ConnectionAct = 'halt' | 'entries' | 'resume' | 'cancel-all' | 'limits' | 'rotate' | 'remove';

const EXPIRY_WARNING_MS = 7 * 86_400_000;

type Props = { connection: Connection; onAct: (act: ConnectionAct) => void };

/** One venue account: whether orders may leave through it, why, and its controls. */
export function ConnectionPanel({ connection, onAct }: Props) {
  const { label, venue, environment, state, stateReason, stateAt } = connection;
  const inUse = isInUse(connection);
  return (
    <Panel
      title={label}
      actions={
        <>
          <span className="dim small">{venueTitle(venue)}</span>
          <span className={environment === 'live' ? 'chip live' : 'chip'}>
            {environmentWords(environment)}
          </span>
        </>
      }
    >
      <div className="stack" data-connection-id={connection.id} data-state={state}>
        <div className="row apart">
          <div>
            <ConnectionStateMark state={state} /> <span className="dim small">{t('since')} </span>
            <Time at={stateAt} />
            {stateReason ? <div>{reasonOf(stateReason)}</div> : null}
            <div className="dim small">{stateEffect(state)}</div>
          </div>
          {inUse && state !== 'halted' ? (
            <Button
              color="red"
              size="md"
              leftSection={<OctagonX size={18} aria-hidden />}
              onClick={() => onAct('halt')}
            >
              {t('Halt…')}
            </Button>
          ) : null}
        </div>
        <Facts connection={connection} />
        <Checks connection={connection} />
        {inUse ? <Differences connection={connection} /> : null}
        {inUse ? <Actions connection={connection} onAct={onAct} /> : null}
      </div>
    </Panel>
  );
}

function Facts({ connection }: { connection: Connection }) {
  const { keyHint, keyExpiresAt, permissions } = connection;
  return (
    <dl className="facts connection-facts">
      <dt>{t('Key')}</dt>
      <dd>
        <span className="mono">…{keyHint}</span>
        {permissions ? (
          <span className="dim"> {t('· may {permissions}', { permissions: permissions.join(', ') })}</span>
        ) : null}
      </dd>
      {keyExpiresAt === null ? null : (
        <>
          <dt>{t('Key expires')}</dt>
          <dd>
            <KeyEnd at={keyExpiresAt} />
          </dd>
        </>
      )}
      <dt>{t('Limits')}</dt>
      <dd>{limitWords(connection)}</dd>
    </dl>
  );
}

const LesserFacts = ({
  connection: { fingerprint, clockOffsetMs, reconciledAt },
}: Pick<Props, 'connection'>) => (
  <dl className="facts connection-facts">
    <dt>{t('Account there')}</dt>
    <dd className="mono">{fingerprint ?? '—'}</dd>
    <dt>{t('Clock of the venue')}</dt>
    <dd>{clockWords(clockOffsetMs)}</dd>
    <dt>{t('Books compared')}</dt>
    <dd>{reconciledAt ? <Age at={reconciledAt} /> : t('never')}</dd>
  </dl>
);

function KeyEnd({ at }: { at: string }) {
  const left = Date.parse(at) - serviceMs();
  if (left < EXPIRY_WARNING_MS) {
    return (
      <span className="chip warn">
        {left > 0 ? t('expires {at}', { at: relativeTime(new Date(at)) }) : t('has expired')}
      </span>
    );
  }
  return <Time at={at} />;
}

function limitWords({ maxOrder, maxDay, maxOpenNotional }: Connection): string {
  const said = [
    maxOrder === null ? null : t('{maxOrder} an order', { maxOrder: usd(maxOrder) }),
    maxDay === null ? null : t('{maxDay} a day', { maxDay: usd(maxDay) }),
    maxOpenNotional === null
      ? null
      : t('{maxOpenNotional} open exposure', { maxOpenNotional: usd(maxOpenNotional) }),
  ].filter((each) => each !== null);
  return said.length > 0 ? said.join(', ') : t('none of its own: only the risk rules bound it');
}

/** Failed and pending checks are visible; passed ones open on demand, with the lesser facts. */
function Checks({ connection }: { connection: Connection }) {
  const { checks, checkedAt, checkRequestedAt } = connection;
  const passed = checks.filter(({ state }) => state === 'green');
  const open = checks.filter(({ state }) => state !== 'green');
  return (
    <div className="stack tight">
      <div className="row apart">
        <strong className="small">{t('Checks')}</strong>
        <span className="dim small" role="status">
          {checkRequestedAt !== null ? t('being made…') : null}
          {checkRequestedAt === null && checkedAt !== null ? (
            <Trans message="made {age}" values={{ age: <Age at={checkedAt} /> }} />
          ) : null}
        </span>
      </div>
      {checks.length === 0 ? <span className="dim small">{t('None has been made yet.')}</span> : null}
      {open.length > 0 ? <CheckList of={open} /> : null}
      {passed.length > 0 ? (
        <details>
          <summary>
            {open.length === 0
              ? t('{passed, plural, one {The only check is} other {All # checks are}} green', {
                  passed: passed.length,
                })
              : t('{passed, plural, one {# more is} other {# more are}} green', { passed: passed.length })}
          </summary>
          <div className="stack">
            <CheckList of={passed} />
            <LesserFacts connection={connection} />
          </div>
        </details>
      ) : null}
    </div>
  );
}

const CheckList = ({ of }: { of: readonly ConnectionCheck[] }) => (
  <ul className="checks">
    {of.map((check) => (
      <CheckRow key={check.name} check={check} />
    ))}
  </ul>
);

const ICONS = { green: CircleCheck, red: CircleX, grey: CircleHelp } as const;

function CheckRow({ check: { name, state, value, reason, at } }: { check: ConnectionCheck }) {
  const zone = useSettings((settings) => settings.zone);
  const Icon = ICONS[state];
  return (
    <li data-check={name} data-check-state={state}>
      <span className={`status wraps ${checkTone(state)}`}>
        <Icon size={15} aria-hidden />
        <span>
          {checkTitle(name)} <span className="sr">{checkVerdict(state)}</span>
        </span>
      </span>
      <span>
        {value === null ? state === 'grey' && t('not known') : withLocalTimes(reasonOf(value), zone)}
        {reason ? <div className="small dim">{withLocalTimes(reasonOf(reason), zone)}</div> : null}
      </span>
      <span className="dim small">
        <Time at={at} />
      </span>
    </li>
  );
}

function Actions({ connection, onAct }: Props) {
  const { id, state, stateCode, checkRequestedAt } = connection;
  const check = useMutation(
    trpc.venueConnections.check.mutationOptions({
      onSettled: () => invalidate(trpc.venueConnections.pathFilter()),
    }),
  );
  const holdsEntries = state === 'reduce_only' && stateCode === 'by_person';
  return (
    <>
      {check.error ? <ProblemNotice error={check.error} /> : null}
      <div className="row wrap">
        {canResume(connection) ? <Button onClick={() => onAct('resume')}>{t('Resume…')}</Button> : null}
        {state === 'halted' || holdsEntries ? null : (
          <Button variant="default" onClick={() => onAct('entries')}>
            {t('Stop entries…')}
          </Button>
        )}
        <Button variant="default" color="red" onClick={() => onAct('cancel-all')}>
          {t('Cancel all orders…')}
        </Button>
        <Button
          variant="default"
          loading={check.isPending}
          disabled={checkRequestedAt !== null}
          onClick={() => check.mutate({ id })}
        >
          {t('Check again')}
        </Button>
        <Button variant="default" onClick={() => onAct('limits')}>
          {t('Name and limits…')}
        </Button>
        <Button variant="default" onClick={() => onAct('rotate')}>
          {t('Replace key…')}
        </Button>
        <Button variant="default" onClick={() => onAct('remove')}>
          {t('Remove…')}
        </Button>
      </div>
    </>
  );
}
