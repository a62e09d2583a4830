import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { BellOff, Check, CirclePause, TriangleAlert } from 'lucide-react';
import { client, invalidate, newIdempotencyKey, trpc } from '../../api/trpc.ts';
import {
  type Channel,
  outcomeWords,
  quietWords,
  switchesWords,
} from '../../format/notifications/notification-words.ts';
import { CHANNEL_WORDS } from '../../generated/service.ts';
import { msg, t, translateReason } from '../../language/language.ts';
import { Trans } from '../../language/trans.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ProblemNotice } from '../../ui/problem.tsx';
import { StatusMark, type StatusStyle } from '../../ui/status.tsx';
import { Age, Time } from '../../ui/time.tsx';

/** The actions on a channel, apart from testing, pausing and turning it on. */
export type ChannelAct = 'edit' | 'rotate' | 'replay' | 'remove';

type Props = { channel: Channel; isHere: boolean; onAct: (act: ChannelAct) => void };

/** One channel: whether its notifications arrive, which ones, and its actions. */
export function ChannelPanel({ channel, isHere, onAct }: Props) {
  const { id, label, kind, target, state, stateReason, proven, switches, quietHours } = channel;
  return (
    <Panel
      title={label}
      actions={
        <>
          {isHere ? <span className="chip">{t('this browser')}</span> : null}
          <span className="chip">{t(CHANNEL_WORDS[kind].title)}</span>
        </>
      }
    >
      <div className="stack" data-channel-id={id} data-state={state}>
        <div>
          <StatusMark statusStyle={statusStyleOf(channel)} /> <Since channel={channel} />
          {stateReason ? <div>{translateReason(stateReason)}</div> : null}
          {proven ? null : (
            <div>{t('It receives only tests until your program answers one with its challenge.')}</div>
          )}
        </div>
        <dl className="facts">
          <dt>{t('Goes to')}</dt>
          <dd>{target}</dd>
          <dt>{t('Receives')}</dt>
          <dd>{switchesWords(switches)}</dd>
          <dt>{t('Quiet hours')}</dt>
          <dd>{quietWords(quietHours)}</dd>
        </dl>
        <Actions channel={channel} onAct={onAct} />
      </div>
    </Panel>
  );
}

const ON: StatusStyle = { word: msg('On'), tone: 'ok', icon: Check };
const UNPROVEN: StatusStyle = { word: msg('Not proven'), tone: 'warn', icon: TriangleAlert };
const FAILING: StatusStyle = { word: msg('Not arriving'), tone: 'warn', icon: TriangleAlert };
const OFF: StatusStyle = { word: msg('Paused'), tone: 'idle', icon: CirclePause };
const DISABLED: StatusStyle = { word: msg('Disabled'), tone: 'bad', icon: BellOff };

function statusStyleOf({ state, failingSince, proven }: Channel): StatusStyle {
  if (state === 'on') return failingSince !== null ? FAILING : proven ? ON : UNPROVEN;
  return state === 'off' ? OFF : DISABLED;
}

function Since({ channel: { state, failingSince, nextTryAt } }: { channel: Channel }) {
  if (state !== 'on' || failingSince === null) return null;
  return (
    <span className="dim small">
      <Trans message="since {age}" values={{ age: <Age at={failingSince} /> }} />
      {nextTryAt === null ? null : (
        <Trans message=", tried again at {time}" values={{ time: <Time at={nextTryAt} /> }} />
      )}
    </span>
  );
}

function Actions({ channel: { id, label, kind, state }, onAct }: Omit<Props, 'isHere'>) {
  const refresh = () => invalidate(trpc.notifications.pathFilter());
  const test = useMutation({
    mutationFn: () =>
      client.notifications.test.mutate({ id }, { context: { idempotencyKey: newIdempotencyKey() } }),
    onSettled: refresh,
  });
  const turn = useMutation({
    mutationFn: (on: boolean) => client.notifications.update.mutate({ id, on }),
    onSettled: refresh,
    onSuccess: (_row, on) =>
      notifications.show({
        message: on
          ? t('“{label}” is on, and sends the waiting notifications.', { label })
          : t('“{label}” is paused: nothing is sent there.', { label }),
      }),
  });
  const error = test.error ?? turn.error;
  const isOn = state === 'on';
  return (
    <>
      {error ? <ProblemNotice error={error} /> : null}
      {test.data ? <TestOutcome channelId={id} deliveryId={test.data.deliveryId} /> : null}
      <div className="row wrap">
        {isOn ? (
          <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
            {t('Send a test')}
          </Button>
        ) : (
          <Button loading={turn.isPending} onClick={() => turn.mutate(true)}>
            {t('Turn on')}
          </Button>
        )}
        <Button variant="default" onClick={() => onAct('edit')}>
          {t('Edit…')}
        </Button>
        {kind === 'webhook' ? (
          <Button variant="default" onClick={() => onAct('rotate')}>
            {t('New secret…')}
          </Button>
        ) : null}
        {isOn ? (
          <>
            <Button variant="default" onClick={() => onAct('replay')}>
              {t('Send again…')}
            </Button>
            <Button variant="default" loading={turn.isPending} onClick={() => turn.mutate(false)}>
              {t('Pause')}
            </Button>
          </>
        ) : null}
        <Button variant="default" color="red" onClick={() => onAct('remove')}>
          {t('Remove…')}
        </Button>
      </div>
    </>
  );
}

const POLL_MS = 1_000;
/** A test is last in its channel's queue: it is looked for among the newest deliveries. */
const NEWEST = 20;

/** The result of a test, polled until there is one. */
function TestOutcome({ channelId, deliveryId }: { channelId: string; deliveryId: string }) {
  const log = useQuery({
    ...trpc.notifications.deliveries.queryOptions({ channelId, limit: NEWEST }),
    refetchInterval: ({ state }) =>
      outcomeWords(state.data?.find(({ id }) => id === deliveryId)).isOver ? false : POLL_MS,
  });
  const { text, tone } = outcomeWords(log.data?.find(({ id }) => id === deliveryId));
  return (
    <div className={tone === 'bad' ? 'notice bad' : 'notice'} role="status" data-test-outcome={tone}>
      {text}
    </div>
  );
}
