/** Searches the memory of a trading process for credentials. */
import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { VENUE_IDS } from '../../db/vocabulary.ts';
import { type CredentialOwner, seal } from '../../engine/trading/connections/credentials/encryption.ts';
import { KeyRing } from '../../engine/trading/connections/credentials/key-ring.ts';
import { createDemoAccount } from '../../venues/demo-accounts.ts';
import type { Opening } from '../support/credentials-child.ts';

const dir = mkdtempSync(path.join(tmpdir(), 'memory-'));
afterAll(() => rmSync(dir, { recursive: true }));

/** The signing secrets, which must not be found. Values that a venue requires in each request are not among them. */
function secretsIn(credentials: Readonly<Record<string, unknown>>): string[] {
  const { privateKey, secret, signingKey, api } = credentials as {
    privateKey?: string;
    secret?: string;
    signingKey?: string;
    api?: { secret: string };
  };
  // One line of a multi-line key is as good as all.
  const line = privateKey?.split('\n')[1];
  return [line, secret, signingKey?.slice(2), api?.secret].filter((each) => each !== undefined);
}

async function openedElsewhere(opening: Opening): Promise<string> {
  const child = spawn(process.execPath, ['--expose-gc', 'tests/support/credentials-child.ts'], {
    cwd: path.join(import.meta.dirname, '../..'),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(JSON.stringify(opening));
  const [said] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return said;
}

test('no signing secret is in a heap snapshot once the signer has been made from it', async () => {
  const keys = `k1:${randomBytes(32).toString('base64')}`;
  const ring = KeyRing.parse(keys);
  const members = VENUE_IDS.map((venue) => ({ venue, ...createDemoAccount(venue) }));
  const records = await Promise.all(
    members.map(async ({ venue, credentials }) => {
      const owner: CredentialOwner = {
        accountId: randomUUID(),
        connectionId: randomUUID(),
        version: 1,
        venue,
        environment: 'demo',
      };
      const { keyId, ...sealed } = await seal(Buffer.from(JSON.stringify(credentials)), owner, ring);
      const [wrappedKey, nonce, ciphertext, tag] = [
        sealed.wrappedKey,
        sealed.nonce,
        sealed.ciphertext,
        sealed.tag,
      ].map((part) => part.toString('base64')) as [string, string, string, string];
      return { owner, sealed: { keyId, wrappedKey, nonce, ciphertext, tag } };
    }),
  );
  const file = path.join(dir, 'memory.heapsnapshot');
  expect(await openedElsewhere({ keys, records, file })).toBe(String(VENUE_IDS.length));
  const memory = readFileSync(file, 'utf8');
  expect(memory, 'it is what it is taken for').toContain(records[0]?.owner.connectionId);
  const secrets = members.flatMap(({ credentials }) => secretsIn(credentials));
  expect(secrets).toHaveLength(4);
  expect(secrets.filter((secret) => memory.includes(secret)).length, 'secrets found').toBe(0);
}, 60_000);
