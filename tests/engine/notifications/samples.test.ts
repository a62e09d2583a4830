import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import path from 'node:path';
import { expect, test } from 'vitest';
import { newSecret, signedHeaders } from '../../../engine/notifications/signature.ts';

const ROOT = path.join(import.meta.dirname, '../../..');
const page = readFileSync(path.join(ROOT, 'docs/notifications.md'), 'utf8');
const [, chapter = ''] = page.split('## Verifying a webhook');
const sampleIn = (language: string): string =>
  new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(chapter)?.[1] ?? '';

const body = JSON.stringify({ type: 'test', text: 'hällo "there"' });
const [old, secret] = [newSecret(), newSecret()];
const headers = signedHeaders(
  { id: '019a9f47-5ea0-7f97-9b46-7d8e9fa0b1c2', body },
  [old, secret],
  new Date(),
);
const has = (program: string) => spawnSync(program, ['--version']).error === undefined;

test.skipIf(!has('openssl'))('the sample for a shell tells a right signature from a wrong one', () => {
  const verdictOf = (changed: string) =>
    execFileSync('sh', ['-c', sampleIn('sh')], {
      env: {
        PATH: process.env['PATH'] ?? '',
        SECRET: secret,
        ID: headers['webhook-id'] ?? '',
        TIMESTAMP: headers['webhook-timestamp'] ?? '',
        SIGNATURE: headers['webhook-signature'] ?? '',
        BODY: changed,
      },
      encoding: 'utf8',
    }).trim();
  expect([verdictOf(body), verdictOf(`${body} `)]).toEqual(['valid', 'invalid']);
});

test('the sample in TypeScript tells a right signature from a wrong one', async () => {
  const library = import.meta.resolve('standardwebhooks');
  const code = stripTypeScriptTypes(sampleIn('ts')).replace("'standardwebhooks'", `'${library}'`);
  const script = `${code}
    const [secret, body, headers] = JSON.parse(process.argv[1]);
    const isValid = (text) => { try { verify(secret, text, headers); return true; } catch { return false; } };
    console.log(JSON.stringify([isValid(body), isValid(body + ' ')]));`;
  const out = execFileSync(
    process.execPath,
    ['--input-type=module', '-e', script, JSON.stringify([secret, body, headers])],
    { encoding: 'utf8' },
  );
  expect(JSON.parse(out)).toEqual([true, false]);
});

test.skipIf(!has('python3'))('the sample in Python tells a right signature from a wrong one', () => {
  const script = `${sampleIn('python')}
import json, sys
secret, body, headers = json.loads(sys.argv[1])
print(json.dumps([verify(secret, body.encode(), headers), verify(secret, (body + " ").encode(), headers)]))`;
  const out = execFileSync('python3', ['-c', script, JSON.stringify([secret, body, headers])], {
    encoding: 'utf8',
  });
  expect(JSON.parse(out)).toEqual([true, false]);
});
