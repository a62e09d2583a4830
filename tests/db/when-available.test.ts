import { describe, expect, test } from 'vitest';
import { whenAvailable } from '../../db/when-available.ts';

const busy = () => new Error('Connection terminated due to connection timeout');

/** A task that fails with these errors in turn, then returns its number of runs. */
function failing(...errors: Error[]) {
  let runs = 0;
  return async () => {
    const error = errors[runs];
    runs += 1;
    if (error) throw error;
    return runs;
  };
}
const patience = (more: object = {}) => {
  const warned: string[] = [];
  return { warned, warn: (message: string) => void warned.push(message), pauseMs: 0, ...more };
};

describe('a start retries', () => {
  test('while the database is busy or unavailable, and logs it once', async () => {
    const patient = patience();
    const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    expect(await whenAvailable(failing(busy(), refused, busy()), patient)).toBe(4);
    expect(patient.warned).toHaveLength(1);
    expect(patient.warned[0]).toContain('connection timeout');
  });

  test('not after its deadline, and not for errors that a retry cannot fix', async () => {
    await expect(whenAvailable(failing(busy()), patience({ withinMs: 0 }))).rejects.toThrow('timeout');
    const wrong = patience();
    await expect(whenAvailable(failing(new Error('a wrong password')), wrong)).rejects.toThrow('password');
    expect(wrong.warned).toEqual([]);
  });

  test('not once the process is to stop', async () => {
    const stopping = new AbortController();
    const patient = { warn: () => stopping.abort(new Error('SIGTERM')), signal: stopping.signal };
    await expect(whenAvailable(failing(busy(), busy()), patient)).rejects.toThrow(/abort/i);
  });
});
