/** A project outside the repository with the packed client installed. */

import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { compileClient, packClient } from '../../client/build.ts';
import { sh } from './sh.ts';

const { dependencies, devDependencies } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
);
const OWN = { ...dependencies, ...devDependencies };
const FLAGS = [
  '--prefer-offline',
  '--ignore-scripts',
  '--no-audit',
  '--no-fund',
  '--save-exact',
  '--loglevel=error',
];

export type Project = {
  folder: string;
  /** The file of the packed package in it. */
  tarball: string;
  /** Installs this version of tRPC's client and server. */
  withTrpc: (version: string) => Promise<void>;
  /** The version of an installed package. */
  installed: (name: string) => string;
  /** Compiles the project, or the given configuration; returns the compiler's errors, empty without any. */
  compile: (compiler: string, args?: readonly string[], configuration?: string) => Promise<string>;
  remove: () => void;
};

/** Creates the project: npm installs the tarball with its dependencies, without any file of the repository. */
export async function openProject(): Promise<Project> {
  const folder = mkdtempSync(path.join(tmpdir(), 'client-project-'));
  compileClient();
  packClient(folder);
  const [tarball = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  cpSync(path.join(import.meta.dirname, 'project'), folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module","private":true}\n');
  const install = (...what: string[]) => sh('npm', ['install', ...FLAGS, ...what], { cwd: folder });
  const trpcOf = (version: string) => [`@trpc/client@${version}`, `@trpc/server@${version}`];
  await install(
    `./${tarball}`,
    ...trpcOf(OWN['@trpc/client']),
    ...['@types/node', 'ws'].map((name) => `${name}@${OWN[name]}`),
  );
  return {
    folder,
    tarball,
    withTrpc: async (version) => void (await install(...trpcOf(version))),
    installed: (name) =>
      JSON.parse(readFileSync(path.join(folder, 'node_modules', name, 'package.json'), 'utf8')).version,
    compile: (compiler, args = [], configuration = 'tsconfig.json') =>
      sh(process.execPath, [compiler, '-p', path.join(folder, configuration), ...args]).then(
        () => '',
        ({ stdout }: { stdout: string }) => stdout,
      ),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
