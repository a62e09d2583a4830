import { expect, test } from 'vitest';
import {
  enteredEnvelope,
  envelopeFault,
  envelopeWords,
  NO_ENVELOPE,
} from '../../web/src/format/trading/envelope.ts';

const BLUEPRINT = '0198a7c2-0000-7000-8000-000000000001';

test('what is left empty bounds nothing, and nothing of it is sent', () => {
  expect(enteredEnvelope(NO_ENVELOPE)).toEqual({});
  expect(envelopeWords({})).toBe('');
  expect(envelopeWords(null)).toBe('');
});

test('what is typed is what is sent, and reads back', () => {
  const envelope = enteredEnvelope({
    maxOrder: ' 20 ',
    maxDay: '100.5',
    blueprintIds: [BLUEPRINT],
    alwaysApprove: true,
    allowsUntried: true,
  });
  expect(envelope).toEqual({
    maxOrder: 20,
    maxDay: 100.5,
    blueprintIds: [BLUEPRINT],
    alwaysApprove: true,
    allowsUntried: true,
  });
  expect(envelopeWords(envelope)).toBe(
    'buys to $20.00, $100.50 a day, 1 strategy, always approved, also what was not on paper',
  );
});

test('real money needs a largest buy, and no amount is 0, below it or a word', () => {
  expect(envelopeFault(NO_ENVELOPE, false)).toBeNull();
  expect(envelopeFault(NO_ENVELOPE, true)).toMatch(/largest buy/);
  for (const typed of ['0', '-1', 'a lot', 'NaN']) {
    expect(envelopeFault({ ...NO_ENVELOPE, maxOrder: typed }, true), typed).not.toBeNull();
    expect(envelopeFault({ ...NO_ENVELOPE, maxDay: typed }, false), typed).not.toBeNull();
  }
  expect(envelopeFault({ ...NO_ENVELOPE, maxOrder: '0.5' }, true)).toBeNull();
});
