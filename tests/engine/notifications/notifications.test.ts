import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { isAddressAllowed, urlProblem } from '../../../engine/notifications/allowed-address.ts';
import {
  countFailure,
  type FailureState,
  GIVE_UP_MS,
  isGivenUp,
  NO_FAILURES,
  nextAttemptAt,
  pauseState,
} from '../../../engine/notifications/backoff.ts';
import { earliestNotifyAt } from '../../../engine/notifications/channel-rules.ts';
import { channelOfKind } from '../../../engine/notifications/channels/catalogue.ts';
import { discordBody } from '../../../engine/notifications/channels/discord.ts';
import { mailOf } from '../../../engine/notifications/channels/email.ts';
import { slackBody } from '../../../engine/notifications/channels/slack.ts';
import { webhookBody } from '../../../engine/notifications/channels/webhook.ts';
import { rotated } from '../../../engine/notifications/channels.ts';
import { deliveryVerdictOf, isReceiverAlive } from '../../../engine/notifications/delivery-verdict.ts';
import { NOTIFICATION_KINDS, SWITCHES, type Switches } from '../../../engine/notifications/kinds.ts';
import { messageOf, type NotificationPayload } from '../../../engine/notifications/message.ts';
import { noticeOf } from '../../../engine/notifications/notice.ts';
import { endingKey, nearLimits } from '../../../engine/notifications/periodic-notices.ts';
import { quietUntil } from '../../../engine/notifications/quiet-hours.ts';
import { newSecret, secretsInUse, signedHeaders } from '../../../engine/notifications/signature.ts';

const NOW = new Date('2026-11-22T12:00:00.000Z');
const HOUR_MS = 3_600_000;
const day = fc.date({
  min: new Date('2026-01-01T00:00:00Z'),
  max: new Date('2027-12-31T00:00:00Z'),
  noInvalidDate: true,
});
const time = fc
  .tuple(fc.nat(23), fc.nat(59))
  .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`);

describe('retries', () => {
  const silent = (failing: FailureState, now: Date) => countFailure(failing, { isFirstTry: true, now });

  test('come ever later, the last at the end of three days, and then none', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 60, maxLength: 60 }),
        (chances) => {
          let failing = silent(silent(NO_FAILURES, NOW), NOW);
          let now = NOW;
          const waits: number[] = [];
          for (const chance of chances) {
            failing = silent(failing, now);
            if (isGivenUp(failing, now)) break;
            const next = nextAttemptAt(pauseState(failing) ?? NO_FAILURES, { now, chance });
            waits.push(next.getTime() - now.getTime());
            now = next;
          }
          expect(now.getTime()).toBe(NOW.getTime() + GIVE_UP_MS);
          expect(
            waits.slice(0, 9).every((wait, index) => index === 0 || wait > (waits[index - 1] ?? 0)),
          ).toBe(true);
          expect(waits.length).toBeLessThan(30);
        },
      ),
    );
  });

  test('wait as long as a receiver requests, but an hour at most', () => {
    const waitOf = (pauseMs: number) =>
      nextAttemptAt(NO_FAILURES, { now: NOW, chance: 0, pauseMs }).getTime() - NOW.getTime();
    expect(waitOf(60_000)).toBe(60_000);
    expect(waitOf(90 * HOUR_MS)).toBe(HOUR_MS);
  });

  test('of one message never pause a receiver; three failed messages in a row do, and its own request does at once', () => {
    const again = (failing: FailureState) => countFailure(failing, { isFirstTry: false, now: NOW });
    const once = silent(NO_FAILURES, NOW);
    expect(pauseState(again(again(again(once))))).toBeNull();
    const thrice = silent(silent(once, NOW), NOW);
    expect(pauseState(thrice)).toMatchObject({ attempts: 0 });
    expect(pauseState(again(thrice))).toMatchObject({ attempts: 1 });
    const requested = countFailure(NO_FAILURES, { isFirstTry: true, now: NOW, pauseMs: 7_000 });
    expect(pauseState(requested)).toMatchObject({ attempts: 0 });
  });
});

describe('quiet hours', () => {
  test("last until their end in the user's zone, summer and winter", () => {
    const quiet = { from: '22:00', to: '07:00', zone: 'Europe/Zurich' };
    expect(quietUntil(quiet, new Date('2026-11-22T22:30:00Z'))).toEqual(new Date('2026-11-23T06:00:00Z'));
    expect(quietUntil(quiet, new Date('2026-07-22T22:30:00Z'))).toEqual(new Date('2026-07-23T05:00:00Z'));
    // The night of the time change is an hour longer.
    expect(quietUntil(quiet, new Date('2026-10-24T22:30:00Z'))).toEqual(new Date('2026-10-25T06:00:00Z'));
    expect(quietUntil(quiet, NOW)).toBeNull();
  });

  test('end within 26 hours at a moment outside any quiet hours, whatever they are', () => {
    const zone = fc.constantFrom(
      'UTC',
      'Europe/Zurich',
      'America/New_York',
      'Asia/Kathmandu',
      'Australia/Lord_Howe',
    );
    fc.assert(
      fc.property(time, time, zone, day, (from, to, name, at) => {
        const quiet = { from, to, zone: name };
        const end = quietUntil(quiet, at);
        if (end === null) return;
        expect(end.getTime()).toBeGreaterThan(at.getTime());
        expect(end.getTime() - at.getTime()).toBeLessThanOrEqual(26 * HOUR_MS);
        expect(quietUntil(quiet, end)).toBeNull();
      }),
      { numRuns: 60 },
    );
  });
});

describe('switches', () => {
  const switches = fc.dictionary(fc.constantFrom(...NOTIFICATION_KINDS), fc.constantFrom(...SWITCHES));
  const night = { from: '00:00', to: '23:59', zone: 'UTC' };

  test('off never notifies, always notifies at once, on waits for the end of quiet hours; a test message passes all', () => {
    fc.assert(
      fc.property(switches, fc.constantFrom(...NOTIFICATION_KINDS), (made, kind) => {
        const from = earliestNotifyAt({ switches: made as Switches, quietHours: night }, kind, NOW);
        if (made[kind] === 'off') expect(from).toBeNull();
        if (made[kind] === 'always') expect(from).toEqual(NOW);
        if (made[kind] === 'on') expect(from).toEqual(new Date('2026-11-22T23:59:00.000Z'));
        expect(earliestNotifyAt({ switches: made as Switches, quietHours: night }, 'test', NOW)).toEqual(NOW);
      }),
    );
  });
});

test('an event becomes a notification of its kind; an event without a kind becomes none, whatever it holds', () => {
  const of = (type: string, payload: NotificationPayload['data']) =>
    noticeOf({ type, mode: 'paper', payload })?.kind ?? null;
  expect(of('order.changed', { id: 'x', status: 'pending' })).toBe('order.pending');
  expect(of('order.changed', { id: 'x', status: 'open' })).toBeNull();
  expect(of('order.changed', { id: 'x', status: 'constructor' })).toBeNull();
  expect(of('blueprint.changed', { id: 'x', status: 'error' })).toBe('blueprint.error');
  expect(of('blueprint.changed', { id: 'x', status: 'running' })).toBeNull();
  expect(of('notification', { kind: 'notify', text: 'hello' })).toBe('blueprint.said');
  expect(of('notification', { kind: 'notify', severity: 'info' })).toBe('blueprint.said');
  expect(of('notification', { kind: 'notify', severity: 'warning' })).toBe('blueprint.warning');
  expect(of('notification', { kind: 'notify', severity: 'critical' })).toBe('blueprint.critical');
  expect(of('notification', { kind: 'notify', severity: '__proto__' })).toBe('blueprint.said');
  expect(of('notification', { kind: 'daily_loss', severity: 'critical' })).toBe('rule.reached');
  expect(of('notification', { kind: 'daily_loss', text: 'over' })).toBe('rule.reached');
  // Notified once, by its text.
  expect(of('daily_loss.tripped', { loss: '1' })).toBeNull();
  expect(of('connection.changed', { id: 'x', state: 'halted' })).toBe('connection.changed');
  expect(of('notice.raised', { kind: 'key.expiring' })).toBe('key.expiring');
  expect(of('notice.raised', { kind: '__proto__' })).toBeNull();
  fc.assert(
    fc.property(fc.string(), fc.jsonValue(), (type, payload) => {
      noticeOf({ type, mode: null, payload: payload as NotificationPayload['data'] });
    }),
  );
});

describe('addresses', () => {
  const strict = { isLoopbackAllowed: false };
  test.each([
    'http://example.com/',
    'https://127.0.0.1/',
    'https://localhost/',
    'https://[::1]/',
    'https://10.0.0.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://[::ffff:169.254.169.254]/',
    'https://user:secret@example.com/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'https://',
    '',
  ])('%s is refused', (url) => expect(urlProblem(url, strict)).not.toBeNull());

  test('a public https address is accepted; this machine only in development', () => {
    expect(urlProblem('https://example.com:8443/hook?x=1', strict)).toBeNull();
    expect(urlProblem('http://127.0.0.1:3000/hook', { isLoopbackAllowed: true })).toBeNull();
    expect(urlProblem('http://192.168.1.1/hook', { isLoopbackAllowed: true })).not.toBeNull();
  });

  test.each([
    '10.1.2.3',
    '172.16.0.1',
    '192.168.0.1',
    '127.0.0.1',
    '0.0.0.0',
    '169.254.169.254',
    '100.64.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '192.0.2.1',
    '198.18.0.1',
    '::',
    '::1',
    'fe80::1',
    'fc00::1',
    'fd00:ec2::254',
    'ff02::1',
    '::ffff:10.0.0.1',
    '64:ff9b::a9fe:a9fe',
    '2002:a9fe:a9fe::1',
    '2001:db8::1',
    '2001:0:1::1',
    '::a9fe:a9fe',
    '::808:808',
    '100:0:0:1::1',
    '4000::1',
    'fe00::1',
    'nonsense',
  ])('nothing is sent to %s', (address) => expect(isAddressAllowed(address, strict)).toBe(false));

  test('public addresses are allowed', () => {
    expect(
      ['93.184.216.34', '2606:2800:220:1:248:1893:25c8:1946', '::ffff:93.184.216.34'].every((each) =>
        isAddressAllowed(each, strict),
      ),
    ).toBe(true);
  });
});

const payload = (more: Partial<NotificationPayload> = {}): NotificationPayload => ({
  id: '019a9f44-11d8-7e3a-b6c2-7d9e0f1a2b3c',
  kind: 'blueprint.said',
  mode: 'paper',
  at: NOW.toISOString(),
  data: { text: 'hello', blueprintName: 'Dip', blueprintId: 'b' },
  ...more,
});

describe('signatures', () => {
  test('verify with the library of Standard Webhooks, with every secret in use, and with no other', () => {
    const [old, fresh, foreign] = [newSecret(), newSecret(), newSecret()];
    const body = webhookBody(payload(), { link: 'https://desk.example/' });
    const now = new Date();
    const secrets = rotated([{ secret: old, until: null }], fresh, now);
    const headers = signedHeaders({ id: payload().id, body }, secretsInUse(secrets, now), now);
    for (const secret of [old, fresh])
      expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
    expect(() => new Webhook(foreign).verify(body, headers)).toThrow();
    expect(() => new Webhook(fresh).verify(`${body} `, headers)).toThrow();
    const later = new Date(now.getTime() + 24 * HOUR_MS);
    expect(secretsInUse(secrets, later)).toEqual([fresh]);
  });

  test('a secret that is rotated again and again leaves few in use, the newest first', () => {
    let secrets = rotated([], 'first', NOW);
    for (const name of ['second', 'third', 'fourth', 'fifth']) secrets = rotated(secrets, name, NOW);
    expect(secrets.map(({ secret }) => secret)).toEqual(['fifth', 'fourth', 'third']);
  });
});

test('a 4xx response is final for its message, unless temporary; only a receiver that processed it counts as alive', () => {
  const of = (kind: Parameters<typeof deliveryVerdictOf>[0], status: number | null) =>
    deliveryVerdictOf(kind, { status, problem: null });
  expect([200, 204, 299].map((status) => of('webhook', status))).toEqual([
    'delivered',
    'delivered',
    'delivered',
  ]);
  const passing = [301, 408, 409, 425, 429, 500, 503, null];
  for (const kind of ['webhook', 'slack'] as const) {
    expect(passing.map((status) => of(kind, status))).toEqual(passing.map(() => 'retry'));
    expect([400, 401, 403, 404, 413, 422].map((status) => of(kind, status))).toEqual(
      Array(6).fill('refused'),
    );
    expect(of(kind, 410)).toBe('gone');
  }
  const alive = [204, 400, 404, 500].map((status) => isReceiverAlive('webhook', { status, problem: null }));
  expect(alive).toEqual([true, true, false, false]);
  expect(of('push', 404)).toBe('gone');
  expect([of('email', 250), of('email', 450), of('email', 550)]).toEqual(['delivered', 'retry', 'refused']);
});

describe('words', () => {
  test('an approval links to its own dialog, and live mode is visible at once', () => {
    const data = {
      orderId: 'o-1',
      side: 'buy',
      amount: 2,
      title: 'Fed cuts',
      limitPrice: 0.4,
      expiresAt: '2026-11-22T12:15:00.000Z',
    };
    expect(messageOf(payload({ kind: 'order.pending', mode: 'live', data }), 'https://desk.example')).toEqual(
      {
        title: '[LIVE] An order waits for your approval',
        text: 'buy 2 Fed cuts at 0.4, until 2026-11-22 12:15 UTC.',
        link: 'https://desk.example/live/orders?approve=o-1',
      },
    );
  });

  test('a warning and a critical text say so before the strategy’s name', () => {
    const titleOf = (kind: NotificationPayload['kind']) =>
      messageOf(payload({ kind, mode: 'live' }), 'https://desk.example').title;
    expect(titleOf('blueprint.said')).toBe('[LIVE] Dip');
    expect(titleOf('blueprint.warning')).toBe('[LIVE] Warning: Dip');
    expect(titleOf('blueprint.critical')).toBe('[LIVE] Critical: Dip');
  });

  test('hostile texts cannot break out of a chat, a mail or a line', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 60 }),
        fc.constantFrom(...NOTIFICATION_KINDS),
        (text, kind) => {
          const data = {
            text,
            error: text,
            reason: text,
            blueprintName: text,
            title: text,
            label: text,
            name: text,
          };
          const message = messageOf(payload({ kind, data }), 'https://desk.example');
          expect(JSON.parse(slackBody(message)).text).not.toMatch(/<[!@#]/);
          const discord = JSON.parse(discordBody(message));
          expect(discord.allowed_mentions).toEqual({ parse: [] });
          expect(discord.content).not.toMatch(/(?<!\\)\]\(/);
          const { subject, html } = mailOf(message);
          expect(subject).not.toMatch(/[\r\n]/);
          expect(html.match(/<script|<img/gi)).toBeNull();
        },
      ),
    );
  });
});

describe('a chat', () => {
  test('shows a masked link as text, and our own link as a link', () => {
    const data = { text: '[ok](https://evil.example) **x**', blueprintName: 'Dip', blueprintId: 'b' };
    const message = messageOf(payload({ data }), 'https://desk.example');
    const { content } = JSON.parse(discordBody(message)) as { content: string };
    expect(content).toContain('\\[ok\\]\\(https://evil.example\\) \\*\\*x\\*\\*');
    expect(content.endsWith(`\n${message.link}`)).toBe(true);
  });
});

describe('limits worth a remark', () => {
  const line = (rule: string, limit: string, used: string | null) =>
    ({ rule, limit, used, headroom: null }) as never;
  test('are those from 80 % used on, and again once reached; none without a measure, and not used cash', () => {
    const lines = [
      line('maxOrderSize', '100', '79.9'),
      line('dailyLoss', '100', '80'),
      line('positions', '10', '12'),
      line('x', '0', '3'),
      line('y', '5', null),
      line('cooldownAfterLossSec', '300', '299'),
      line('buyingPower', '1000', '990'),
    ];
    expect(
      nearLimits(lines, NOW).map(({ kind, fields }) => [kind, fields['rule'], fields['usedPercent']]),
    ).toEqual([
      ['rule.near_limit', 'dailyLoss', 80],
      ['rule.reached', 'positions', 120],
    ]);
  });

  test('a key is announced a week and a day before its end, once if found late', () => {
    const key = (hours: number) =>
      endingKey(
        {
          id: 'k',
          name: 'n',
          last4: 'abcd',
          expiresAt: new Date(NOW.getTime() + hours * HOUR_MS).toISOString(),
        },
        NOW,
      ).map(({ name }) => name);
    expect([key(24 * 8), key(24 * 6), key(20), key(-1)]).toEqual([[], ['key k 7'], ['key k 1'], []]);
  });
});

test.each([
  ['slack', 'https://hooks.slack.com/services/T/B/x', true],
  ['slack', 'https://hooks.slack.com.example.com/services/T/B/x', false],
  ['slack', 'https://discord.com/api/webhooks/1/x', false],
  ['discord', 'https://discord.com/api/webhooks/1/x', true],
  ['discord', 'https://discordapp.com/api/webhooks/1/x', true],
  ['discord', 'https://example.com/api/webhooks/1/x', false],
] as const)('%s needs no proof, so it goes to its own service alone: %s', (kind, address, isAllowed) => {
  const rules = { emails: [], policy: { isLoopbackAllowed: false } };
  const read = () => channelOfKind(kind).readDestination({ url: address }, rules);
  if (isAllowed) expect(read().secrets).toEqual({ url: address });
  else expect(read).toThrow();
});
