import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { openPool, systemDb } from '../../db/pool.ts';
import { verifyLedger } from '../../engine/ledger/verify-ledger.ts';
import { Archive } from '../../engine/platform/archive/archive.ts';
import { databaseClock } from '../../engine/platform/context.ts';
import { folderStore } from '../../server/kernel/archive/folder-store.ts';
import { storedState } from '../support/api.ts';
import { archiveNow } from '../support/archive-now.ts';
import { openedForFile } from '../support/opened.ts';
import { runCommand, settingsOf } from '../support/run-command.ts';
import { addBlueprint, hold, openMarket } from '../support/trading.ts';
import { openWorld } from '../support/world.ts';

const archiveDir = mkdtempSync(path.join(tmpdir(), 'copied-archive-'));
const ARCHIVE_URL = `file://${archiveDir}`;
afterAll(() => rmSync(archiveDir, { recursive: true }));
const world = openedForFile(() => openWorld({ settings: { ARCHIVE_URL } }));

const targetOf = (dbName: string) => {
  const target = { ...world.database.owner, dbName };
  const url = settingsOf({ ...world.database, owner: target }).DATABASE_URL;
  return { target, url };
};

async function dropped(dbName: string): Promise<void> {
  const server = new pg.Client({ ...world.database.owner, database: 'postgres' });
  await server.connect();
  await server.query(`drop database if exists ${dbName} with (force)`);
  await server.query(`drop role if exists ${dbName}_app`);
  await server.end();
}

test('db:copy copies every row and every sequence into an empty database, proves the ledger there, and refuses a full one', {
  tags: ['long'],
}, async () => {
  await openMarket(world);
  const account = await world.account();
  await hold(world, account, { blueprintId: await addBlueprint(account), amount: '0.01' });
  await world.signUp();
  await archiveNow(world.db, folderStore(archiveDir), account.accountId);
  const dbName = `${world.database.owner.dbName}_copy`;
  const { target, url } = targetOf(dbName);
  const copy = () => runCommand('db-copy', ['--to', url], { ...settingsOf(world.database), ARCHIVE_URL });
  try {
    const first = await copy();
    expect(first, first.stderr).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('the ledger agrees'),
    });
    const pool = await openPool(target, { poolMax: 2 });
    const db = systemDb(pool);
    // A process states every few seconds that it lives.
    const without = ({ schema_migration: _, process: __, ...rest }: Record<string, string>) => rest;
    expect(without(await storedState({ db }))).toEqual(without(await storedState(world)));
    expect(await verifyLedger(db, databaseClock, new Archive(folderStore(archiveDir)))).toEqual([]);
    const client = new pg.Client({ ...target, database: dbName });
    await client.connect();
    const { rows: users } = await client.query('select from auth."user"');
    expect(users).toHaveLength(1);
    const { rows: numbers } = await client.query<{ ours: string; seen: string }>(
      `select nextval('ledger_seq') as ours, (select max(seq) from order_transition) as seen`,
    );
    expect(Number(numbers[0]?.ours)).toBeGreaterThan(Number(numbers[0]?.seen));
    await expect(client.query(`delete from fill`)).rejects.toThrow('history');
    await client.end();
    await pool.close();
    expect(await copy()).toMatchObject({ code: 1, stderr: expect.stringContaining('not empty') });
  } finally {
    await dropped(dbName);
  }
});
