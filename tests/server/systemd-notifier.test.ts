import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { takeSystemdNotifier } from '../../server/process/systemd-notifier.ts';

test('systemd is notified that the service is ready, and then that it lives; no child may notify for it', async () => {
  const dir = mkdtempSync(path.join(tmpdir(), 'notify-'));
  const heard = path.join(dir, 'heard');
  const program = path.join(dir, 'systemd-notify');
  writeFileSync(program, `#!/bin/sh\necho "$1 $NOTIFY_SOCKET" >> ${heard}\n`);
  chmodSync(program, 0o755);
  try {
    const PATH = `${dir}:${process.env['PATH']}`;
    const env = { PATH, NOTIFY_SOCKET: '/run/notify', WATCHDOG_USEC: '150000', WATCHDOG_PID: '1' };
    const refused: string[] = [];
    const manager = takeSystemdNotifier(env, (message) => refused.push(message));
    expect(env).toEqual({ PATH });
    // The heartbeat has no end: on the real clock it would go on beside every later test of this process.
    vi.useFakeTimers({ toFake: ['setInterval'] });
    manager.ready();
    vi.advanceTimersByTime(50);
    vi.useRealTimers();
    const lines = () => readFileSync(heard, 'utf8').split('\n');
    await vi.waitFor(() => expect(lines()).toContain('WATCHDOG=1 /run/notify'), { timeout: 10_000 });
    expect(lines()).toContain('--ready /run/notify');
    expect(refused).toEqual([]);
  } finally {
    vi.useRealTimers();
    rmSync(dir, { recursive: true, force: true });
  }
});

test('without systemd no notification is sent', () => {
  takeSystemdNotifier({ PATH: '/nowhere' }, (message) => expect.fail(message)).ready();
});
