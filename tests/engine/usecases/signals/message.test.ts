import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readAlert } from '../../../../engine/usecases/signals/message.ts';

describe('the body of an alert', () => {
  test.each([
    ['BTCUSD Crossing 62,000.00', 1],
    ['', 1],
    ['42.5', 42.5],
    [' -3 \n', -3],
    ['true', 1],
    ['FALSE', 0],
    ['off', 0],
    ['{"value":"no"}', 0],
    ['Yes', 1],
    ['{"ticker":"BTCUSD","action":"buy"}', 1],
    ['{"value":0.25,"ticker":"BTCUSD"}', 0.25],
    ['{"value":"61234.5"}', 61_234.5],
    ['{"value":false}', 0],
    ['3 bars above', 1],
    ['constructor', 1],
    ['🚀 5', 1],
    ['#1', 1],
    ['1️⃣', 1],
    ['5min', 1],
    ['Off.', 0],
    ['off!', 0],
    ['false.', 0],
    ['yes!', 1],
  ])('%j has the value %d', (body, value) => {
    expect(readAlert(body, null)).toMatchObject({ value });
  });

  test.each([
    ['{"value":"buy"}'],
    ['{"value":null}'],
    ['{"value":1e300}'],
    ['{"value":"__proto__"}'],
    [`{"id":"${'x'.repeat(201)}"}`],
  ])('%.30j is refused: its value cannot be read, or its id is too long', (body) => {
    expect(readAlert(body, null)).toBeNull();
  });

  test.each([
    '{"value": 0,}',
    '{"value": NaN}',
    '{"broken',
    '[1,2]',
    '"false"',
    'NaN',
    'null',
    '1e-7',
    '1e400',
    '-',
    '12345678901234567',
    '1 000',
    '\u22121',
    '-1 %',
    '$61,234',
    "1'000.5 €",
    '-Infinity',
  ])('%s is refused: a broken "off" must not count as 1', (body) => {
    expect(readAlert(body, null)).toBeNull();
  });

  test('an id of the sender names the message, and without one its content does', () => {
    const key = (body: string, header: string | null = null) => readAlert(body, header)?.key;
    expect(key('{"id":"a","value":1}')).toBe(key('{"id":"a","value":2}'));
    expect(key('{"id":"a"}')).toBe(key('text', 'a'));
    expect(key('buy')).not.toBe(key('sell'));
    expect(readAlert('buy', null)?.isNamed).toBe(false);
  });

  test('any text is a finite value or a refusal, never an error', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (body) => {
        const read = readAlert(body, null);
        expect(read === null || Number.isFinite(read.value)).toBe(true);
      }),
    );
  });
});
