import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BodyTemplate, fillTemplate } from '../../../engine/notifications/channels/body-template.ts';
import { webhook } from '../../../engine/notifications/channels/webhook.ts';
import { TEST_KIND } from '../../../engine/notifications/kinds.ts';

const notification = (text: string) => ({
  id: '019a9f47-5ea0-7f97-9b46-7d8e9fa0b1c2',
  kind: 'blueprint.said' as const,
  mode: null,
  at: '2026-11-28T12:00:00.000Z',
  data: { text, usedPercent: 80, nested: { text } },
});
const MESSAGE = { title: 'Dip buyer', text: 'hällo', link: 'https://desk.example/blueprints/1' };
const filled = (template: unknown, text = 'said') =>
  JSON.parse(fillTemplate(JSON.stringify(template), notification(text), MESSAGE));

test('each placeholder is the value of its name; an absent one is empty', () => {
  const template = {
    text: '{{title}}: {{text}} {{link}}',
    from: ['{{type}}', '{{timestamp}}', '{{id}}', '{{mode}}'],
    data: {
      said: '{{data.text}}',
      percent: '{{data.usedPercent}} %',
      none: '{{data.orderId}}{{data.nested}}',
    },
    as: [1, true, null, '{title}'],
  };
  expect(filled(template)).toEqual({
    text: 'Dip buyer: hällo https://desk.example/blueprints/1',
    from: ['blueprint.said', '2026-11-28T12:00:00.000Z', '019a9f47-5ea0-7f97-9b46-7d8e9fa0b1c2', ''],
    data: { said: 'said', percent: '80 %', none: '' },
    as: [1, true, null, '{title}'],
  });
});

test('numbers are sent as they are written', () => {
  const template = '{"role":123456789012345678,"price":1.10,"z":-0,"x":[1e400]}';
  expect(fillTemplate(template, notification('said'), MESSAGE)).toBe(template);
});

test('no value leaves its text or is read as a placeholder, whatever it holds', () => {
  const value = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'"\\{}$&`\'\n,:[]'.split('')) }));
  fc.assert(
    fc.property(value, (text) => {
      expect(filled({ a: ['<{{data.text}}>'], b: 1 }, text)).toEqual({ a: [`<${text}>`], b: 1 });
    }),
  );
  expect(filled({ a: '{{data.text}}' }, '{{title}}$&')).toEqual({ a: '{{title}}$&' });
});

test.each([
  ['{"text": {{text}}}', 'is not JSON: a placeholder stands in quotes'],
  ...['{{ title }}', '{{tit le}}', '{{}}'].map((text) => [JSON.stringify(text), 'has "{{" outside']),
  ['{"{{title}}": 1}', 'has "{{" outside a placeholder of a text'],
  ['{"text": "{{price}}"}', 'has the unknown placeholder {{price}}: use id, type, timestamp'],
  ['["\\u007b{data.a.b}}"]', 'has the unknown placeholder {{data.a.b}}: use'],
  [JSON.stringify('{{text}}'.repeat(41)), 'has 41 placeholders, at most 40 are allowed'],
  ['x'.repeat(4_001), 'Too big'],
])('%s is refused when it is saved, in words', (template, words = '') => {
  const { error } = BodyTemplate.safeParse(template);
  expect(error?.issues).toMatchObject([{ message: expect.stringContaining(words) }]);
});

test('the refusal of what is not JSON quotes none of it', () => {
  expect(BodyTemplate.safeParse('secret-4711').error?.message).not.toContain('secret');
});

test('a test keeps the usual body, so that no other one reaches a receiver that is not proven', () => {
  const outgoing = { message: MESSAGE, publicUrl: '', pushKeys: null, now: new Date() };
  const secrets = { url: 'https://desk.example.com', bodyTemplate: '{"says":"{{text}}"}', signing: [] };
  const bodyOf = (kind: 'blueprint.said' | typeof TEST_KIND) =>
    webhook.write({ ...outgoing, secrets, notification: { ...notification('said'), kind } });
  expect(bodyOf('blueprint.said')).toMatchObject({ body: '{"says":"hällo"}' });
  expect(bodyOf(TEST_KIND)).toMatchObject({ body: expect.stringContaining('"type":"test"') });
});
