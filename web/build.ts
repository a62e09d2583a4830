/** Builds the console into `dist` and compresses it. Run by `npm run build`, and by the service when sources are new. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'vite';
import { DIST, fingerprint, STAMP } from './fingerprint.ts';

const COMPRESSIBLE = new Set(['.html', '.js', '.css', '.svg', '.json']);
/** A compressed file below this size is no shorter on the wire. */
const BYTES_MIN = 1_024;

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** Reports the build's progress to the service, if one started it. */
const report = (phase: string) => process.send?.({ phase });

// Builds for production in every case: React's own checks are three times its size.
process.env['NODE_ENV'] = 'production';
const sources = fingerprint();
report('bundling');
await build({
  mode: 'production',
  configFile: path.join(import.meta.dirname, 'vite.config.ts'),
  logLevel: process.send ? 'error' : 'info',
});
report('compressing');
for (const file of compressible()) await compress(file);
writeFileSync(STAMP, sources);

function compressible(): string[] {
  return readdirSync(DIST, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && COMPRESSIBLE.has(path.extname(entry.name)))
    .map((entry) => path.join(entry.parentPath, entry.name));
}

async function compress(file: string): Promise<void> {
  const content = readFileSync(file);
  if (content.length < BYTES_MIN) return;
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
  const [br, gz] = await Promise.all([brotli(content, quality), zip(content, { level: 9 })]);
  writeFileSync(`${file}.br`, br);
  writeFileSync(`${file}.gz`, gz);
}
