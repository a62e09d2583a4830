#!/usr/bin/env node
import { createInterface } from 'node:readline/promises';
import { EXIT } from './io.ts';
import { run } from './run.ts';

const { stdin, stdout, stderr, env } = process;
const interrupted = new AbortController();
process.once('SIGINT', () => interrupted.abort());
// A reader of our output may close it early.
stdout.on('error', () => process.exit(EXIT.done));

async function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: stdin, output: stderr });
  try {
    return await terminal.question(question);
  } finally {
    terminal.close();
  }
}

process.exitCode = await run(process.argv.slice(2), {
  out: (text) => stdout.write(text),
  err: (text) => stderr.write(text),
  ask: stdin.isTTY ? ask : null,
  lines: () => createInterface({ input: stdin }),
  env,
  signal: interrupted.signal,
});
