import { expect, test } from 'vitest';
import {
  type Child,
  ProcessSupervisor,
  type ProcessWork,
  processesToStart,
} from '../../server/process/process-supervisor.ts';

/** A process of the test's own: it serves and ends when the test says so, or is stopped. */
function openChild(part: ProcessWork, pid: number) {
  const ready = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<number>();
  const child: Child = {
    pid,
    ready: ready.promise,
    ended: ended.promise,
    stop: () => ended.resolve(0),
  };
  return { part, child, serve: () => ready.resolve(), end: (code: number) => ended.resolve(code) };
}

function openProcesses(apiProcesses = 2) {
  const made: ReturnType<typeof openChild>[] = [];
  const messages: string[] = [];
  const tell = (_fields: object, message: string) => void messages.push(message);
  const start = (part: ProcessWork) => {
    const opened = openChild(part, made.length + 1);
    made.push(opened);
    return opened.child;
  };
  const processes = new ProcessSupervisor({
    parts: processesToStart('all', apiProcesses, 9_464),
    start,
    log: { info: tell, warn: tell, error: tell },
    restMs: { min: 1, max: 2 },
  });
  const at = (index: number) => {
    const found = made[index];
    if (found === undefined) throw new Error(`There is no process ${index}.`);
    return found;
  };
  return { processes, made, messages, at };
}

/** Starts all of them, and lets them serve. */
async function openServing() {
  const opened = openProcesses();
  const started = opened.processes.start();
  for (const { serve } of opened.made) serve();
  expect(await started).toBe(0);
  return opened;
}

test('processes that answer share a port and have metrics of their own, and one runs the rest', () => {
  expect(processesToStart('all', 2, 9_464)).toEqual([
    { name: 'api 1', role: 'api', metricsPort: 9_464 },
    { name: 'api 2', role: 'api', metricsPort: 9_465 },
    { name: 'runner', role: 'runner', metricsPort: 9_466 },
  ]);
  expect(processesToStart('api', 2, null).map(({ role }) => role)).toEqual(['api', 'api']);
  expect(processesToStart('api', 3, 0).map(({ metricsPort }) => metricsPort)).toEqual([0, 0, 0]);
});

test('one that cannot start ends all, with its exit code', async () => {
  const { processes, made, at } = openProcesses();
  const started = processes.start();
  at(0).serve();
  at(1).end(3);
  expect(await started).toBe(3);
  expect(await Promise.all(made.map(({ child }) => child.ended))).toEqual([0, 3, 0]);
  expect(made).toHaveLength(3);
});

test('one that ends unexpectedly is started again, however often, and no other is', async () => {
  const { processes, made, at } = await openServing();
  at(1).end(1);
  await expect.poll(() => made.length).toBe(4);
  at(3).end(1);
  await expect.poll(() => made.length).toBe(5);
  expect(made.map(({ part }) => part.name)).toEqual(['api 1', 'api 2', 'runner', 'api 2', 'api 2']);
  await processes.stop();
  expect(await at(4).child.ended).toBe(0);
  expect(made).toHaveLength(5);
});

test('all are replaced one after the other, each once its successor serves', async () => {
  const { processes, made, at } = await openServing();
  const alive = new Set(made.map(({ child }) => child.pid));
  for (const { child } of made) void child.ended.then(() => alive.delete(child.pid));
  const replaced = processes.replace();
  for (const [index, old] of [0, 1, 2].entries()) {
    await expect.poll(() => made.length).toBe(4 + index);
    expect(alive.has(at(old).child.pid)).toBe(true);
    at(3 + index).serve();
    await at(old).child.ended;
  }
  await replaced;
  expect(made.map(({ part }) => part.name).slice(3)).toEqual(['api 1', 'api 2', 'runner']);
  await processes.stop();
});

test('one whose successor cannot start stays, and so do those after it', async () => {
  const { processes, made, at, messages } = await openServing();
  const replaced = processes.replace();
  at(3).end(1);
  await replaced;
  expect(made).toHaveLength(4);
  expect(messages).toEqual(['the successor of a process cannot start: the old processes stay']);
  let hasEnded = false;
  void at(0).child.ended.then(() => {
    hasEnded = true;
  });
  await Promise.resolve();
  expect(hasEnded).toBe(false);
  await processes.stop();
});

test('a stop also ends the one that is about to replace another', async () => {
  const { processes, at } = await openServing();
  void processes.replace();
  await processes.stop();
  expect(await at(3).child.ended).toBe(0);
});
