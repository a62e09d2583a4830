import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { client, invalidate, trpc } from '../../api/trpc.ts';
import type { Channel, NotificationOptions } from '../../format/notifications/notification-words.ts';
import { browserName } from '../../format/notifications/push-words.ts';
import { msg, t } from '../../language/language.ts';
import { Panel } from '../../ui/panel.tsx';
import { ProblemNotice } from '../../ui/problem.tsx';
import { pushProblem, subscribe, unsubscribe } from './push.ts';

type Props = {
  options: NotificationOptions;
  /** The channel of this browser, if there is one. */
  channel: Channel | undefined;
  /** Called when the subscription of this browser changes. */
  onChanged: () => void;
};

/** Whether this browser shows notifications while no page is open, and the button that changes it. */
export function BrowserPushSwitch({ options: { pushKey, channels }, channel, onChanged }: Props) {
  const settle = () => {
    onChanged();
    invalidate(trpc.notifications.pathFilter());
  };
  const begin = useMutation({
    mutationFn: async (serviceKey: string) => {
      const { wanted } = await subscribe(serviceKey);
      const label = browserName(navigator.userAgent);
      return client.notifications.create.mutate({ kind: 'push', label, subscription: wanted });
    },
    onSettled: settle,
    onSuccess: () => notifications.show({ message: t('Browser notifications are on. Send a test.') }),
  });
  const end = useMutation({
    mutationFn: async (id: string) => {
      await client.notifications.remove.mutate({ id });
      await unsubscribe();
    },
    onSettled: settle,
    onSuccess: () => notifications.show({ message: t('Browser notifications are off.') }),
  });
  const problem = channels.includes('push')
    ? pushProblem()
    : t('This service sends no browser notifications.');
  const error = begin.error ?? end.error;
  return (
    <Panel title={t('This browser')}>
      <div className="stack">
        <div className="row apart">
          <span>
            {channel ? t('It shows notifications, also while the console is closed.') : (problem ?? t(OFFER))}
          </span>
          {channel ? (
            <Button variant="default" loading={end.isPending} onClick={() => end.mutate(channel.id)}>
              {t('Turn off browser notifications')}
            </Button>
          ) : problem === null && pushKey !== null ? (
            <Button loading={begin.isPending} onClick={() => begin.mutate(pushKey)}>
              {t('Turn on browser notifications')}
            </Button>
          ) : null}
        </div>
        {error ? <ProblemNotice error={error} /> : null}
      </div>
    </Panel>
  );
}

const OFFER = msg(
  'It shows notifications while the console is closed, such as an order that awaits approval. The browser asks you first.',
);
