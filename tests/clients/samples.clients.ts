/** Runs every sample of the reference unchanged: each is understood, and answered as the operation documents. */

import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callsOf } from '../../openapi/reference.ts';
import { type Call, type Sample, samplesOf } from '../../openapi/samples.ts';
import { ORIGIN, openWorld, type World } from '../support/world.ts';
import { openProject, type Project } from './project.ts';
import { sh } from './sh.ts';
import { COMPILERS } from './tools.ts';

/** Errors of a malformed request. The ids of examples belong to no account, so not found is expected; these errors are not. */
const MISUSED = new Set([
  'validation_failed',
  'malformed_json',
  'unsupported_media_type',
  'credentials_missing',
  'credentials_invalid',
  'insufficient_scope',
  'session_required',
  'csrf_rejected',
  'route_not_found',
  'internal',
]);

const PREFIX = '#sample ';
/** The output of each sample, by its number. */
function outputs(stdout: string): Map<number, string> {
  const parts = stdout.split(PREFIX).slice(1);
  return new Map(parts.map((part) => [Number.parseInt(part, 10), part.replace(/^\d+\n/, '')]));
}

let world: World;
let project: Project;
let calls: readonly Call[];
beforeAll(async () => {
  // First the project: while it compiles, this process answers no database.
  project = await openProject();
  world = await openWorld();
  calls = callsOf((await world.send('GET', '/openapi.json')).body as Parameters<typeof callsOf>[0]);
});
afterAll(async () => {
  project.remove();
  await world.close();
});

const samplesIn = (language: Sample['language']) =>
  calls.flatMap((call, index) => {
    const sample = samplesOf(call).find((each) => each.language === language);
    return sample ? [{ call, index, text: sample.text }] : [];
  });

function misused(stdout: string, of: ReturnType<typeof samplesIn>): string[] {
  const said = outputs(stdout);
  return of.flatMap(({ call, index }) => {
    const text = said.get(index);
    const title = `${call.method} ${call.path}`;
    if (text === undefined) return [`${title} did not run`];
    if (call.media === 'text/event-stream') return [];
    if (text.trim() === '') return [`${title} wrote nothing`];
    const code = /['"]?code['"]?: ?['"](\w+)['"]/.exec(text)?.[1];
    const isRefused = /['"]?requestId['"]?:/.test(text);
    return isRefused && code !== undefined && MISUSED.has(code) ? [`${title}: ${text.slice(0, 300)}`] : [];
  });
}

const environment = (key: string) => ({ ...process.env, URL: world.base, KEY: key });

describe('every sample of the reference runs', () => {
  test('in a shell', async () => {
    const { key } = await world.account();
    const { cookie } = await world.signUp();
    const { hostname } = new URL(world.base);
    const jar = cookie.split('; ').map((pair) => {
      const [name = '', ...value] = pair.split('=');
      return [hostname, 'FALSE', '/', 'FALSE', '0', name, value.join('=')].join('\t');
    });
    writeFileSync(path.join(project.folder, 'cookies.txt'), `${jar.join('\n')}\n`);
    const samples = samplesIn('curl');
    const script = samples.map(({ call, index, text }) => {
      const ending = call.media === 'text/event-stream' ? `timeout 2 ${text} || true` : text;
      // The pages of the test's world have an origin of their own.
      return `echo; echo "${PREFIX}${index}"\n${ending.replace('Origin: $URL', `Origin: ${ORIGIN}`)}`;
    });
    const file = path.join(project.folder, 'samples.sh');
    writeFileSync(file, script.join('\n'));
    const { stdout } = await sh('bash', [file], {
      env: environment(key),
      cwd: project.folder,
      maxBuffer: 1 << 26,
    });
    expect(misused(stdout, samples)).toEqual([]);
  });

  test('in Python', async () => {
    const { key } = await world.account();
    const samples = samplesIn('Python');
    const file = path.join(project.folder, 'samples.py');
    writeFileSync(
      file,
      // A stream of prices is never silent, so that no timeout of a socket ends its sample.
      `import json, signal, sys, urllib.error
def hang_up(*_):
    raise TimeoutError
signal.signal(signal.SIGALRM, hang_up)
for index, stream, text in json.load(open(sys.argv[1])):
    print("\\n${PREFIX}%d" % index)
    signal.alarm(2 if stream else 30)
    try:
        exec(text, {})
    except urllib.error.HTTPError as error:
        print(error.read().decode())
    except TimeoutError:
        if not stream:
            raise
`,
    );
    const list = path.join(project.folder, 'samples.json');
    writeFileSync(
      list,
      JSON.stringify(
        samples.map(({ call, index, text }) => [index, call.media === 'text/event-stream', text]),
      ),
    );
    const { stdout } = await sh('python3', [file, list], { env: environment(key), maxBuffer: 1 << 26 });
    expect(misused(stdout, samples)).toEqual([]);
  });

  test('in TypeScript, where it compiles strictly', async () => {
    const { key } = await world.account();
    const samples = samplesIn('TypeScript');
    mkdirSync(path.join(project.folder, 'samples'));
    for (const { index, text } of samples)
      writeFileSync(path.join(project.folder, `samples/s${index}.ts`), text);
    writeFileSync(
      path.join(project.folder, 'all.ts'),
      `for (const [index, isStream] of ${JSON.stringify(samples.map(({ call, index }) => [index, call.media === 'text/event-stream']))}) {
  console.log('\\n${PREFIX}' + index);
  const over = isStream ? [new Promise((resolve) => setTimeout(resolve, 1_000))] : [];
  await Promise.race([import(\`./samples/s\${index}.js\`), ...over]);
}
process.exit();
`,
    );
    writeFileSync(
      path.join(project.folder, 'samples.tsconfig.json'),
      '{"extends":"./tsconfig.json","compilerOptions":{"types":["node"]},"include":["all.ts","samples"]}',
    );
    await sh(process.execPath, [
      COMPILERS['TypeScript 7'],
      '-p',
      path.join(project.folder, 'samples.tsconfig.json'),
    ]);
    const { stdout } = await sh(process.execPath, [path.join(project.folder, 'out/all.js')], {
      env: environment(key),
      maxBuffer: 1 << 26,
    });
    expect(misused(stdout, samples)).toEqual([]);
  });
});
