import { expect, test } from 'vitest';
import { push } from '../../engine/notifications/channels/push.ts';
import {
  changedSwitches,
  readQuietHours,
  readSwitches,
} from '../../web/src/format/notifications/notification-form.ts';
import {
  answerWords,
  type Delivery,
  outcomeWords,
  quietWords,
  switchesWords,
} from '../../web/src/format/notifications/notification-words.ts';
import { browserName, pushHint } from '../../web/src/format/notifications/push-words.ts';

const KINDS = [
  { kind: 'order.pending', title: 'An order waits for approval', usual: 'always' },
  { kind: 'order.filled', title: 'An order was filled', usual: 'on' },
] as const;

const delivery = (more: Partial<Delivery>) =>
  ({
    status: 'waiting',
    attempts: 0,
    lastStatus: null,
    lastProblem: null,
    tookMs: null,
    ...more,
  }) as Delivery;

test('a browser finds its own channel by the service’s hint', () => {
  const endpoint = 'https://push.example.com/send/abc:DEF_9x';
  const subscription = { endpoint, keys: { p256dh: 'p', auth: 'a' } };
  const { target } = push.readDestination(
    { subscription },
    { emails: [], policy: { isLoopbackAllowed: false } },
  );
  expect(pushHint(endpoint)).toBe(target);
});

test('the result of a test is a sentence, and it is polled until there is one', () => {
  expect(outcomeWords(undefined).isOver).toBe(false);
  expect(outcomeWords(delivery({})).isOver).toBe(false);
  const arrived = delivery({ status: 'delivered', attempts: 1, lastStatus: 204, tookMs: 1_240 });
  expect(outcomeWords(arrived)).toMatchObject({
    text: 'The test arrived: answered 204, after 1.2 s.',
    tone: 'ok',
  });
  const failed = delivery({ attempts: 1, lastProblem: 'connection refused' });
  expect(outcomeWords(failed).text).toBe('The test did not arrive: connection refused. It is tried again.');
  const refused = delivery({ status: 'refused', lastStatus: 400, lastProblem: 'answered 400' });
  expect(outcomeWords(refused)).toMatchObject({ tone: 'bad', isOver: true });
  expect(answerWords(delivery({}))).toBeNull();
});

test('a form is read into the service’s input, and nothing else', () => {
  const data = new FormData();
  data.set('switch order.filled', 'off');
  data.set('switch order.pending', 'always');
  data.set('switch __proto__', 'on');
  data.set('switch order.filled.more', 'on');
  data.set('label', 'Desk');
  const chosen = readSwitches(data, [...KINDS]);
  expect(chosen).toEqual({ 'order.filled': 'off', 'order.pending': 'always' });
  expect(changedSwitches({ 'order.filled': 'on', 'order.pending': 'always' }, chosen)).toEqual({
    'order.filled': 'off',
  });
  expect(readQuietHours(data)).toBeNull();
  for (const [name, value] of [
    ['isQuiet', 'on'],
    ['quietFrom', '22:00'],
    ['quietTo', '07:00'],
    ['quietZone', 'UTC'],
  ] as const)
    data.set(name, value);
  expect(quietWords(readQuietHours(data))).toBe('22:00 to 07:00, UTC');
});

test('switches are summed up in a line, and a browser by its name', () => {
  type Switches = Parameters<typeof switchesWords>[0];
  const said = (switches: object) => switchesWords(switches as Switches);
  expect(said({ a: 'on', b: 'off', c: 'always' })).toBe('2 of 3 kinds, 1 of them in quiet hours too');
  expect(said({ a: 'on' })).toBe('every kind');
  expect(said({ a: 'off' })).toBe('nothing: every kind is switched off');
  const agent =
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36';
  expect(browserName(agent)).toBe('Chrome on Linux');
  expect(browserName('')).toBe('Browser');
});
