import { expect, test } from 'vitest';
import { CHANNEL_FIELDS, CHANNELS } from '../../../engine/notifications/channels/catalogue.ts';

const RULES = { emails: ['ada@example.com'], policy: { isLoopbackAllowed: false } };
/** Addresses of services that need no proof. */
const URLS: Readonly<Record<string, object>> = {
  slack: { url: 'https://hooks.slack.com/desk/4711' },
  discord: { url: 'https://discord.com/desk/4711' },
};
const SENT: Readonly<Record<string, unknown>> = {
  url: 'https://desk.example.com/hook/4711',
  bodyTemplate: '{"text":"{{text}}"}',
  botToken: '123:ABC',
  chatId: '@desk',
  address: 'Ada@Example.com',
  subscription: { endpoint: 'https://push.example.com/4711', keys: { p256dh: 'p', auth: 'a' } },
};

const refusalOf = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return error;
  }
};

test.each(CHANNELS.map((channel) => [channel.kind, channel] as const))(
  '%s accepts its own fields, needs each but a body template, and refuses those of other kinds by name',
  (kind, { fields, readDestination }) => {
    const sent = { ...SENT, ...URLS[kind] };
    const own = Object.fromEntries(Object.keys(fields).map((name) => [name, sent[name]]));
    expect(readDestination(own, RULES).target).toMatch(/desk|push|ada|slack|discord/);
    for (const name of Object.keys(CHANNEL_FIELDS)) {
      const isOwn = name in fields;
      const changed = { ...own, [name]: isOwn ? undefined : SENT[name] };
      if (isOwn && name === 'bodyTemplate') {
        expect(readDestination(changed, RULES)).toMatchObject({ secrets: { url: SENT['url'] } });
        continue;
      }
      expect(refusalOf(() => readDestination(changed, RULES))).toMatchObject({
        code: 'validation_failed',
        issues: [
          { path: `/${name}`, message: `is ${isOwn ? 'needed' : 'not allowed'} for the kind ${kind}` },
        ],
      });
    }
  },
);
