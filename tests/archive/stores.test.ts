import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import {
  BLUEPRINT_EQUITY_FILE,
  type BlueprintEquityRow,
  EQUITY_FILE,
  type EquityRow,
} from '../../engine/platform/archive/equity-file.ts';
import { EVIDENCE_FILE, type EvidenceRow } from '../../engine/platform/archive/evidence-file.ts';
import { type RowFormat, readRows, writeRows } from '../../engine/platform/archive/row-file.ts';
import type { ArchiveStore } from '../../engine/platform/archive/store.ts';
import { folderStore } from '../../server/kernel/archive/folder-store.ts';
import { parseArchiveUrl, type S3Location } from '../../server/kernel/archive/location.ts';
import { s3Store } from '../../server/kernel/archive/s3-store.ts';
import { hasS3Server, withS3Server } from '../support/s3-server.ts';

const dir = mkdtempSync(path.join(tmpdir(), 'archive-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const BYTES = Buffer.from(Array.from({ length: 70_000 }, (_, at) => (at * 7) % 256));

async function keepsItsPromises(store: ArchiveStore): Promise<void> {
  const name = 'orders/01a229e5-d017-70f2-8be3-edefc28196ef/2026-08-ab.parquet';
  expect(await store.read(name, 10)).toBeNull();
  await store.write(name, BYTES);
  await store.write(name, BYTES);
  expect(Buffer.from((await store.read(name, BYTES.length + 1)) ?? [])).toEqual(BYTES);
  expect(Buffer.from((await store.read(name, 1_000)) ?? [])).toEqual(BYTES.subarray(0, 1_000));
  await store.write('empty', new Uint8Array());
  expect((await store.read('empty', 1))?.length).toBe(0);
}

test('a folder returns what was written, at most as much as is wanted, and keeps no incomplete file', async () => {
  const folder = path.join(dir, 'ärchive of mine');
  await keepsItsPromises(folderStore(folder));
  await expect(folderStore(path.join(folder, 'empty')).write('x', BYTES)).rejects.toThrow();
  expect(readdirSync(folder).toSorted()).toEqual(['empty', 'orders']);
});

describe.skipIf(!hasS3Server)('an S3 server (`npm ci --prefix tools/s3` installs one)', () => {
  const withServer = (task: (location: S3Location) => Promise<void>) =>
    withS3Server(path.join(dir, 's3'), async (url) => {
      const location = parseArchiveUrl(url);
      if (location.kind !== 's3') throw new Error('It is a bucket.');
      await task(location);
    });

  test('returns what was written, at most as much as is wanted', () =>
    withServer((location) => keepsItsPromises(s3Store(location))));

  test('that refuses, is gone or has no such bucket is an error, never a missing file', async () => {
    let gone: S3Location | undefined;
    await withServer(async (location) => {
      gone = location;
      await expect(s3Store({ ...location, accessKeyId: 'other' }).read('x', 1)).rejects.toThrow();
      await expect(s3Store({ ...location, accessKeyId: 'other' }).write('x', BYTES)).rejects.toThrow();
      await expect(s3Store({ ...location, bucket: 'another' }).write('x', BYTES)).rejects.toThrow();
    });
    if (gone !== undefined) await expect(s3Store(gone).read('x', 1)).rejects.toThrow();
  });
});

describe('ARCHIVE_URL', () => {
  test('names a folder or a bucket, with escaped keys', () => {
    expect(parseArchiveUrl('file:///mnt/cold%20data')).toEqual({ kind: 'folder', folder: '/mnt/cold data' });
    expect(
      parseArchiveUrl(
        's3://AKIA:a%2Fb%2Bc@cold-data/x//y/?endpoint=https://s3.example.com&region=eu-central-1',
      ),
    ).toEqual({
      kind: 's3',
      endpoint: 'https://s3.example.com',
      bucket: 'cold-data',
      prefix: 'x/y/',
      region: 'eu-central-1',
      accessKeyId: 'AKIA',
      secretAccessKey: 'a/b+c',
    });
  });

  test.for([
    ['/mnt/archive'],
    ['file:///'],
    ['file://host/share'],
    ['https://s3.example.com/bucket'],
    ['s3://bucket?endpoint=https://s3.example.com&region=x'],
    ['s3://key:secret@b?endpoint=https://s3.example.com&region=x'],
    ['s3://key:secret@bucket?region=x'],
    ['s3://key:secret@bucket?endpoint=ftp://s3.example.com&region=x'],
    ['s3://key:secret@bucket?endpoint=https://s3.example.com/path&region=x'],
    ['s3://key:secret@bucket?endpoint=https://s3.example.com'],
    ['s3://key:secret@bucket?endpoint=https://s3.example.com&region=x&acl=public'],
  ])('%s is refused by what is wrong, without its secret', ([url]) => {
    expect(() => parseArchiveUrl(url ?? '')).toThrow(/^must (?!.*:secret@b\?)/);
  });
});

describe('rows are read as they were written, and equal rows are equal bytes', () => {
  const instants = fc.integer({ min: 0, max: 4e12 }).map(BigInt);
  const json = fc.json().map((value) => JSON.stringify(JSON.parse(value)));
  const orNull = fc.option(json, { nil: null });
  const amount = fc
    .tuple(fc.bigInt(-(10n ** 26n), 10n ** 26n), fc.nat({ max: 999_999 }))
    .map(([whole, fraction]) => `${whole}.${String(fraction).padStart(12, '0')}`);

  async function returns<Row extends EvidenceRow | EquityRow | BlueprintEquityRow>(
    format: RowFormat<Row>,
    row: fc.Arbitrary<Row>,
  ): Promise<void> {
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 20 }), async (rows) => {
        const bytes = await writeRows(format, rows);
        expect(await readRows(format, bytes)).toEqual(rows);
        expect(await writeRows(format, structuredClone(rows))).toEqual(bytes);
      }),
    );
  }

  test('evidence', () =>
    returns(
      EVIDENCE_FILE,
      fc.record({
        orderId: fc.uuid(),
        endedAt: instants,
        receipt: json,
        inputs: orNull,
        decidedQuote: orNull,
        approvalReceipt: orNull,
      }),
    ));

  test('points of equity', () =>
    returns(
      EQUITY_FILE,
      fc.record({
        at: instants,
        equity: amount,
        cash: amount,
        realizedPnl: amount,
        unrealizedPnl: amount,
      }),
    ));

  test('points of blueprints', () =>
    returns(
      BLUEPRINT_EQUITY_FILE,
      fc.record({
        blueprintId: fc.uuid(),
        at: instants,
        realizedPnl: amount,
        unrealizedPnl: amount,
        held: amount,
      }),
    ));
});
