import { expect, test } from 'vitest';
import { withDeadline } from '../../server/kernel/rounds/with-deadline.ts';

function captureLog() {
  const lines: object[] = [];
  return { lines, log: { warn: (fields: object) => void lines.push(fields) } };
}

test('work that ends in time returns its result, and logs nothing', async () => {
  const { lines, log } = captureLog();
  expect(await withDeadline(log, 'a round', async () => 'done')).toBe('done');
  await expect(withDeadline(log, 'a round', () => Promise.reject(new Error('broken')))).rejects.toThrow(
    'broken',
  );
  expect(lines).toEqual([]);
});

test('work that never ends is logged with its age, aborted, and not waited for', async () => {
  const { lines, log } = captureLog();
  let signal: AbortSignal | undefined;
  const hung = withDeadline(
    log,
    'a round',
    (given) => {
      signal = given;
      return new Promise(() => {});
    },
    { slowMs: 20, deadlineMs: 90 },
  );
  await expect(hung).rejects.toThrow('has not ended within');
  expect(signal?.aborted).toBe(true);
  expect(lines[0]).toMatchObject({ code: 'round_slow', subject: 'a round', ageMs: expect.any(Number) });
  expect(lines.at(-1)).toMatchObject({ code: 'round_abandoned', subject: 'a round' });
});
