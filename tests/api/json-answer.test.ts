import { expect, test } from 'vitest';
import { z } from 'zod';
import { jsonAnswer } from '../../routers/json-answer.ts';

const RIGHT = '[{"amount":1.5}]';
const WRONG = '[{"amount":"1.5"}]';

function openAnswer() {
  const sent: string[] = [];
  const answer = jsonAnswer(z.array(z.object({ amount: z.number() })));
  return {
    sent,
    overRest: (json: string) =>
      answer({ sink: { takeFile() {}, takeJson: (text) => void sent.push(text) } }, json),
    answer,
  };
}

test('JSON of the database is sent as it was written', () => {
  const { sent, overRest } = openAnswer();
  overRest(RIGHT);
  expect(sent).toEqual([RIGHT]);
});

test('JSON of another shape is refused at the first answer of a process, and at each hundredth', () => {
  const { sent, overRest } = openAnswer();
  expect(() => overRest(WRONG)).toThrow('expected number');
  expect(sent).toEqual([]);
  for (let answers = 0; answers < 100; answers++) overRest(RIGHT);
  expect(() => overRest(WRONG)).toThrow('expected number');
});

test('over tRPC the same text is a value, which the procedure checks each time', () => {
  const { answer, sent } = openAnswer();
  expect(answer({ sink: null }, RIGHT)).toEqual([{ amount: 1.5 }]);
  expect(sent).toEqual([]);
});
