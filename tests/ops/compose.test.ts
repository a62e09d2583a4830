import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const ROOT = path.join(import.meta.dirname, '../..');
const COMPOSE = readFileSync(path.join(ROOT, 'ops/compose.yml'), 'utf8');
const hasCaddy = spawnSync('caddy', ['version']).error === undefined;

describe('the services of compose.yml', () => {
  let copy = '';
  beforeAll(() => {
    copy = mkdtempSync(path.join(tmpdir(), 'compose-'));
    cpSync(path.join(ROOT, 'ops'), path.join(copy, 'ops'), { recursive: true });
    makeSecrets();
  });
  afterAll(() => rmSync(copy, { recursive: true, force: true }));
  const makeSecrets = () => execFileSync('sh', [path.join(copy, 'ops/compose/make-secrets.sh')]);

  test('have each file that they name, once the secrets are made', () => {
    const named = [...COMPOSE.matchAll(/(?:file: |"|- |:-)(\.\.?\/[\w./-]+)/g)].map(([, file = '']) => file);
    expect(named.length).toBeGreaterThan(12);
    expect(named.filter((file) => !existsSync(path.join(copy, 'ops', file)))).toEqual([]);
  });

  test('keep their secrets when they are made again, outside the files of an image or a release', () => {
    const secret = () => readFileSync(path.join(copy, '.data/compose/secrets/auth-secret'), 'utf8');
    const before = secret();
    expect(before).toMatch(/^[\da-f]{64}$/);
    makeSecrets();
    expect(secret()).toBe(before);
    expect(readFileSync(path.join(ROOT, '.dockerignore'), 'utf8').split('\n')).toContain('.data');
  });

  test('get no secret by their environment', () => {
    expect(COMPOSE).not.toMatch(/\b(DATABASE_URL|AUTH_SECRET|CREDENTIAL_KEYS|PASSWORD): /);
  });

  test.skipIf(!hasCaddy)('has TLS in front, by a file that Caddy takes', () => {
    const config = execFileSync('caddy', ['adapt', '--config', path.join(ROOT, 'ops/compose/Caddyfile')], {
      env: { ...process.env, DOMAIN: 'trading.example.com' },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    expect(JSON.parse(config)).toMatchObject({ apps: { http: { servers: { srv0: { listen: [':443'] } } } } });
  });
});
