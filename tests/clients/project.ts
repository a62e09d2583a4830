/** A project outside the repository that installed the packed client. */

import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { compileClient, packClient } from '../../client/build.ts';

const ROOT = path.join(import.meta.dirname, '../..');
/** What the package asks for besides itself, of the versions that are here. */
const PEERS = [
  '@types/node',
  '@trpc/client',
  '@trpc/server',
  'openapi-fetch',
  'openapi-typescript-helpers',
  'eventsource-parser',
];

export const sh = promisify(execFile);

/** Makes the project: the tarball unpacked, its dependencies linked; nothing of the repository in sight. */
export async function openProject(): Promise<{ folder: string; remove: () => void }> {
  const folder = mkdtempSync(path.join(tmpdir(), 'client-project-'));
  compileClient();
  packClient(folder);
  const [tarball = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  const home = path.join(folder, 'node_modules/trading-strategy');
  mkdirSync(home, { recursive: true });
  await sh('tar', ['-xzf', path.join(folder, tarball), '-C', home, '--strip-components=1']);
  for (const name of PEERS) {
    const link = path.join(folder, 'node_modules', name);
    mkdirSync(path.dirname(link), { recursive: true });
    symlinkSync(path.join(ROOT, 'node_modules', name), link);
  }
  cpSync(path.join(import.meta.dirname, 'project'), folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}\n');
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
