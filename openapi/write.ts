import { readFile, writeFile } from 'node:fs/promises';
import { buildAsyncDocument } from './async-document.ts';
import { consoleFacts } from './client/console-facts.ts';
import { nodeOutlines } from './client/node-outlines.ts';
import { nodeTypeTypes } from './client/node-type-types.ts';
import { type PythonSource, pythonClient } from './client/python.ts';
import { restTypes } from './client/rest-types.ts';
import { routerTypes } from './client/router-types.ts';
import { buildDocument } from './document.ts';

const description = `${JSON.stringify(buildDocument(), null, 2)}\n`;

/** What is committed of what the code says of its API: the description, served as it is, and what is generated of the clients. */
const generated: Readonly<Record<string, string>> = {
  './openapi.json': description,
  './asyncapi.json': `${JSON.stringify(buildAsyncDocument(), null, 2)}\n`,
  '../client/src/generated/router.ts': routerTypes(),
  '../client/src/generated/rest.ts': restTypes(),
  '../client/src/generated/nodes.ts': nodeTypeTypes(),
  '../client/src/generated/node-outlines.ts': nodeOutlines(),
  '../web/src/generated/service.ts': consoleFacts(),
  '../client/python/trading_strategy/api.py': pythonClient(JSON.parse(description) as PythonSource),
};

/** `--check` fails when one of them is not what the code generates. */
const isCheck = process.argv.includes('--check');
for (const [file, text] of Object.entries(generated)) {
  const url = new URL(file, import.meta.url);
  if (!isCheck) await writeFile(url, text);
  else if ((await readFile(url, 'utf8').catch(() => '')) !== text) {
    console.error(`${file} is not what the code generates: run \`npm run openapi\` and commit it.`);
    process.exitCode = 1;
  }
}
