import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyLedger } from '../../engine/ledger/verify-ledger.ts';
import { EmbeddedFolders } from '../support/embedded.ts';
import { printFigure } from '../support/fault-figures.ts';
import { mountDisk } from '../support/small-disk.ts';
import { FaultClient } from './fault-client.ts';
import { type FaultStand, openStand } from './stand.ts';

/** How long the disk stays full. */
const SECONDS = Number(process.env['FAULT_SECONDS'] ?? 45);
const DISK_MB = 300;
const OPENED_WITHIN_MS = 180_000;
const BLOCK = Buffer.alloc(1 << 20);

const playground = new EmbeddedFolders();
const disk = path.join(playground.root, 'disk');
const filler = path.join(disk, 'filler');

/** Fills the disk to the last block. */
function fillUp(): void {
  const file = openSync(filler, 'a');
  try {
    for (;;) writeSync(file, BLOCK);
  } catch (error) {
    expect(error).toMatchObject({ code: 'ENOSPC' });
  } finally {
    closeSync(file);
  }
}

const reason = mountDisk(disk, DISK_MB);

describe.skipIf(reason !== null)(`a full disk${reason ? ` (left out: ${reason})` : ''}`, () => {
  let stand: FaultStand;
  let customers: FaultClient[];
  beforeAll(async () => {
    stand = await openStand({ dir: path.join(disk, 'db') });
    const trader = await FaultClient.open(stand.base);
    await trader.trade();
    await trader.rest();
    await stand.tradesAgain();
    customers = [await FaultClient.open(stand.base), await FaultClient.open(stand.base)];
  }, OPENED_WITHIN_MS);
  afterAll(async () => {
    await stand.close();
    execFileSync('umount', ['--lazy', disk]);
    await playground[Symbol.asyncDispose]();
  });

  test('costs no acknowledged write, is 503 for writes and no error for reads, and ends when there is space', async () => {
    const statuses = { writes: new Set<number>(), health: new Set<number>() };
    const probe = async () => {
      const health = await fetch(`${stand.base}/health`, { signal: AbortSignal.timeout(5_000) });
      statuses.health.add(health.status);
      const refused = await customers[0]?.probe();
      if (refused !== undefined) statuses.writes.add(refused);
    };
    const deadline = performance.now() + SECONDS * 1_000;
    // A second filling takes the space freed by a recycled file or a vacuum. At least one write is refused.
    while (performance.now() < deadline || !statuses.writes.has(503)) {
      fillUp();
      await probe();
      await sleep(100);
    }
    rmSync(filler);
    const sinceMs = performance.now();
    await stand.untilReady();
    await stand.tradesAgain();
    printFigure('trading again after there is space, ms', Math.round(performance.now() - sinceMs));
    await Promise.all(customers.map((customer) => customer.rest()));
    for (const customer of customers) await customer.check();
    expect(await verifyLedger(stand.db)).toEqual([]);
    expect(statuses.health).toEqual(new Set([200]));
    expect([...statuses.writes].filter((status) => ![200, 503].includes(status))).toEqual([]);
  });
});
