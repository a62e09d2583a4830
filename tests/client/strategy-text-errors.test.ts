import { expect, test } from 'vitest';
import { parseStrategy } from '../../client/src/strategy-text/index.ts';

const CLOSE = 'close = crypto.candle("BTCUSDT", 5m)\n';

/** Typical mistakes of users of Pine, Python and TypeScript: the text, its place, and how the message ends. */
test.each([
  ['x = ta.sma(1, 10)', '1:5', 'There is no function “ta.sma”. Did you mean “sma”?'],
  ['c = crypto.candle("BTCUSDT, 5m)', '1:19', 'is not closed: a " is missing.'],
  ["c = crypto.candle('BTCUSDT', 5m)", '1:19', 'Texts are in straight double quotes: "BTCUSDT".'],
  ['c = crypto.candle(“BTCUSDT”, 5m)', '1:19', 'Texts are in straight double quotes: "BTCUSDT".'],
  ['c = crypto.candle(BTCUSDT, 5m)', '1:19', 'Write a text in quotes, or a number.'],
  ['c = crypto.candle("BTCUSDT", 5M)', '1:30', 'not “5M”. Did you mean “5m”?'],
  ['c = crypto.candle("BTCUSDT", 5 m)', '1:32', 'Write a span of time without a space: 5m.'],
  ['c = crypto.candle("BTCUSDT", 5m).close', '1:33', 'is a setting, such as field: "high".'],
  [`${CLOSE}x = close[1]`, '2:10', 'The value before is lag(close, 1).'],
  [`${CLOSE}x = not close`, '2:9', 'takes true or false. Compare it, as in close > 0.'],
  [`${CLOSE}x = sma(close > 3, 10)`, '2:15', 'takes a number. Write number(…) for 1 or 0.'],
  ['x = sma("BTCUSDT", 10)', '1:9', 'Start with a source, such as crypto.candle("BTCUSDT", 5m).'],
  [`${CLOSE}x = sma(close, 2 * 5)`, '2:18', 'it takes a value or a parameter, not a calculation.'],
  [`${CLOSE}x = sma(close, 10`, '2:18', 'Expected “,” or “)”, but the line ends.'],
  ['x = (1 + 2', '1:11', 'Expected “)”, but the line ends.'],
  ['x = (1 + 2))', '1:12', 'No “(” is open here: leave it out.'],
  ['x = max(1, , 3)', '1:12', 'A value is missing before the comma, or the comma is one too many.'],
  ['x = 1\ny = x == 2', '2:7', 'For equal write between(a, 2, 2).'],
  ['x = 1\ny = x = 2', '2:7', 'For equal write between(a, 2, 2).'],
  ['x = 1\ny = x != 2', '2:7', 'For unequal write not between(a, 2, 2).'],
  ['x = 1 > 2 && 2 > 1', '1:11', '"&&" cannot stand here. Write “and”.'],
  ['x = 1 > 2 || 2 > 1', '1:11', '"||" cannot stand here. Write “or”.'],
  ['x = 1 > 2 AND 2 > 1', '1:11', 'Write “and”.'],
  ['x = !(1 > 2)', '1:5', 'Write “not”.'],
  ['x = 1 < 2 < 3', '1:11', 'Join two comparisons with “and”.'],
  ['x = 1 > 2 ? 3 : 4', '1:11', 'Write select(condition, a, b).'],
  ['if 1 > 2 then 3', '1:4', 'Write select(condition, a, b), or “when” after an action.'],
  ['order("B", "buy", "market", amount: 1) if 1 > 2', '1:40', 'The condition of an action follows “when”.'],
  ['for i = 0 to 10', '1:5', 'A line with a list of instruments runs for each of them.'],
  ['def f(x):', '1:5', 'Name a part on a line of its own.'],
  ['var x = 1', '1:5', 'Leave the word out: a line is a name, “=” and an expression.'],
  ['x := 1', '1:3', 'Write “=”.'],
  ['x = 1\nx += 1', '2:4', 'A name has one value: give the new value another name.'],
  ['x = 1\nx = 2', '2:1', 'Choose another name: a line has one value.'],
  ['x = y + 1', '1:5', 'There is no line and no parameter “y”. Write a line “y = …”.'],
  ['a = 3\nb = 1\nx = a-b', '3:5', 'To subtract, write spaces around “-”.'],
  ['x = 1,5 + 2', '1:6', 'Decimals have a point, and thousands no comma.'],
  ['exit("B", stopLoss: 3%)', '1:22', 'Write 3 % as 0.03. The rest of a division is modulo(a, b).'],
  ['exit("B", stopLoss: 2.5 %)', '1:25', 'Write 2.5 % as 0.025. The rest of a division is modulo(a, b).'],
  ['exit("B", maxHoldSec: 4h)', '1:23', '“maxHoldSec” is a number of seconds: write 14400.'],
  ['exit("B", stopLoss 0.1)', '1:20', 'Write “:” after the name of an argument: stopLoss: ….'],
  ['exit("B", stopLoss=0.1)', '1:19', 'Write “:” after the name of an argument: stopLoss: ….'],
  ['exit("B", stopLos: 0.1)', '1:11', 'Did you mean “stopLoss”?'],
  ['exit("B", trail: 0.1)', '1:11', 'Did you mean “trailing”?'],
  ['exit("B", stopLoss: 0.1, stopLoss: 0.2)', '1:26', '“exit” has “stopLoss” already: leave one out.'],
  ['order("B", "long", "market", amount: 1) when 1 > 2', '1:12', '“side” is one of buy, sell, not “long”.'],
  [
    'order("B", "buy", "market", 3) when 1 > 2',
    '1:29',
    'Name it: amount: …, ifTrueAtDeploy: …, slippageCap: ….',
  ],
  ['notify("Up", 1 > 2)', '1:14', 'Name it: when …, severity: …, atMostEverySec: …, ifTrueAtDeploy: ….'],
  ['buy("B", 3) when 1 > 2', '1:1', 'Write order("BTCUSDT", "buy", "market", amount: …) when ….'],
  [
    'short("KXBTC-26DEC31:yes", 3) when 1 > 2',
    '1:1',
    'order("KXBTC-26DEC31:no", "buy", "market", amount: …) when ….',
  ],
  [
    'strategy.short("KXBTC-26DEC31:yes", 3) when 1 > 2',
    '1:1',
    'order("KXBTC-26DEC31:no", "buy", "market", amount: …) when ….',
  ],
  ['sell short 3 when 1 > 2', '1:6', 'order("KXBTC-26DEC31:no", "buy", "market", amount: …) when ….'],
  ['x = ta.crossover(1, 2)', '1:5', 'Write crossesAbove(a, b) or crossesBelow(a, b).'],
  ['n = input.int(14)', '1:5', 'param fast = 12 in 2..50 candles "Its sentence."'],
  ['c = candle("BTCUSDT", 5m)', '1:5', 'Did you mean “crypto.candle”?'],
  ['p = price("BTCUSDT")', '1:5', 'Did you mean “market.price” or “crypto.price”?'],
  ['x = 1 > 2 and true', '1:15', 'Start with a source, such as crypto.candle("BTCUSDT", 5m).'],
  ['a = 3\nx = 1 > -a', '2:10', 'Expected a number after “-” (of a value write 0 - a), but there is "a".'],
  ['x = crypto.candle("BTCUSDT", 5m)[1]', '1:33', 'The value before is lag(a, 1).'],
  ['x = 80_000', '1:5', 'Write the digits alone: 80000.'],
  ['x = .5', '1:5', 'Write a 0 before the point: 0.5.'],
  ['x =\u00a01', '1:4', 'This sign is invisible: write an ordinary space.'],
  ['x = $40', '1:5', 'Write the number alone: money is in USD.'],
  ['x = 40 USD', '1:8', 'Leave the unit out.'],
  ['x = 2 ^ 3', '1:7', 'Write power(a, b).'],
  ['x = 2 ** 3', '1:8', 'Write power(a, b).'],
  ['x = true', '1:5', 'A value is a number here, not true: texts, lists, true and false are settings.'],
  ['x = 1;', '1:6', 'Leave it out: a line needs none.'],
  ['# a comment', '1:1', 'Comments start with //.'],
  ['/* a comment */', '1:1', 'Comments start with //.'],
  ['when = 1', '1:1', '“when” has a meaning of its own: choose another name.'],
  ['2x = 1', '1:1', 'Names start with a letter. Spans of time are written as 30s, 5m, 4h or 1d.'],
  ['größe = 1', '1:3', 'A name with letters other than a to z is in backquotes.'],
  ['param fast = 12 min 2', '1:21', 'param fast = 12 in 2..50 candles "Its sentence."'],
])('a typical mistake is one error that says what to write: %j', (text, place, ending) => {
  const read = parseStrategy(text);
  const [error, ...others] = read.ok ? [] : read.errors;
  expect(others).toEqual([]);
  expect(`${error?.line}:${error?.column}`).toBe(place);
  expect(error?.message.endsWith(ending), error?.message).toBe(true);
  expect(error?.message).toMatch(/^[“"A-Z]/);
});

test('a remedy can be written as it says', () => {
  for (const text of [
    'x = select(1 > 2, 3, 4)',
    'x = 1\ny = between(x, 2, 2)',
    'x = 1\ny = not between(x, 2, 2)',
    'x = power(2, 3)',
    'x = modulo(5, 2)',
    `${CLOSE}x = lag(close, 1)`,
    'x = number(1 > 2)',
    'a = 3\nx = 0 - a',
    '\uFEFFx = 1',
    'x = crossesAbove(1, 2)',
    'order("BTCUSDT", "buy", "market", amount: 1) when 1 > 2',
    'order("KXBTC-26DEC31:no", "buy", "market", amount: 1) when 1 > 2',
    '`größe` = 1',
    'param fast = 12 in 2..50 candles "Its sentence."',
  ])
    expect(parseStrategy(text), text).toMatchObject({ ok: true });
});
