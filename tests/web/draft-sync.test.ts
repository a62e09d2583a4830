import { describe, expect, test } from 'vitest';
import { RETRY_AFTER_MS, SAVE_AFTER_MS } from '../../web/src/editor/draft-sync.ts';
import { DraftServer, DraftTab, settled } from './draft-server.ts';

function opened() {
  const server = new DraftServer();
  return { server, tab: new DraftTab(server) };
}

/** Lets the pause after the last edit pass, and answers the call that follows. */
async function pause(tab: DraftTab): Promise<void> {
  tab.clock.pass(SAVE_AFTER_MS);
  await tab.answerAll();
}

describe('saving', () => {
  test('an edit is saved a moment after the last one, as one save', async () => {
    const { server, tab } = opened();
    tab.edit('a');
    tab.clock.pass(SAVE_AFTER_MS - 1);
    tab.edit('b');
    tab.clock.pass(SAVE_AFTER_MS - 1);
    await settled();
    expect(tab.calls).toEqual([]);
    expect(tab.state).toBe('unsaved');
    await pause(tab);
    expect(server.stored).toEqual({ graph: ['start', 'a', 'b'], version: 2, isRunning: false });
    expect(tab.state).toBe('saved');
    expect(tab.sync.state().saving.at).not.toBeNull();
  });

  test('an edit during a save is saved after it, over the version that it made', async () => {
    const { server, tab } = opened();
    tab.edit('a');
    tab.clock.pass(SAVE_AFTER_MS);
    await settled();
    tab.edit('b');
    tab.clock.pass(SAVE_AFTER_MS);
    await settled();
    expect(tab.calls.map(({ kind }) => kind)).toEqual(['store']);
    await tab.answerAll();
    expect(server.history).toEqual([['start'], ['start', 'a'], ['start', 'a', 'b']]);
    expect(tab.state).toBe('saved');
  });

  test('an edit undone before it was saved is not sent', async () => {
    const { server, tab } = opened();
    tab.edit('a');
    tab.undoOnce();
    await pause(tab);
    expect(server.stored.version).toBe(1);
    expect(tab.state).toBe('saved');
  });

  test('undo survives saving, and takes back what was saved', async () => {
    const { server, tab } = opened();
    tab.edit('a');
    await pause(tab);
    tab.refetch();
    expect(tab.loads).toBe(1);
    tab.undoOnce();
    expect(tab.drawn).toEqual(['start']);
    await pause(tab);
    expect(server.stored.graph).toEqual(['start']);
  });

  test('a read that began before a save takes nothing back', async () => {
    const { server, tab } = opened();
    const before = server.stored;
    tab.edit('a');
    await pause(tab);
    tab.refetch(before);
    expect(tab.drawn).toEqual(['start', 'a']);
    expect(tab.state).toBe('saved');
  });
});

describe('failing', () => {
  test('a failed save is retried automatically', async () => {
    const { server, tab } = opened();
    tab.edit('a');
    tab.clock.pass(SAVE_AFTER_MS);
    await settled();
    await tab.calls[0]?.end('never arrived');
    expect(tab.state).toBe('failed');
    tab.clock.pass(RETRY_AFTER_MS);
    await settled();
    await tab.calls[0]?.end('too busy');
    expect(tab.state).toBe('failed');
    tab.clock.pass(RETRY_AFTER_MS);
    await tab.answerAll();
    expect(server.stored.graph).toEqual(['start', 'a']);
    expect(tab.state).toBe('saved');
  });

  test('a save whose response was lost does not conflict with itself', async () => {
    const { server, tab } = opened();
    tab.edit('a');
    tab.clock.pass(SAVE_AFTER_MS);
    await settled();
    await tab.calls[0]?.end('answer lost');
    tab.edit('b');
    await pause(tab);
    expect(server.stored.graph).toEqual(['start', 'a', 'b']);
    expect(tab.state).toBe('saved');
  });

  test('an awaited save says whether it succeeded', async () => {
    const { tab } = opened();
    tab.edit('a');
    const saved = tab.sync.save();
    await settled();
    await tab.calls[0]?.end('never arrived');
    expect(await saved).toBe(false);
    const again = tab.sync.save();
    await tab.answerAll();
    expect(await again).toBe(true);
  });
});

describe('two tabs', () => {
  test('the other tab’s save is loaded while this tab has no unsaved edit', async () => {
    const { server, tab } = opened();
    const other = new DraftTab(server);
    other.edit('theirs');
    await pause(other);
    tab.refetch();
    expect(tab.drawn).toEqual(['start', 'theirs']);
    expect(tab.state).toBe('saved');
  });

  test('edits in both overwrite nothing: the second waits for a person', async () => {
    const { server, tab } = opened();
    const other = new DraftTab(server);
    tab.edit('mine');
    other.edit('theirs');
    await pause(other);
    await pause(tab);
    expect(tab.state).toBe('conflict');
    tab.edit('more');
    await pause(tab);
    expect(server.stored.graph).toEqual(['start', 'theirs']);
    expect(tab.drawn).toEqual(['start', 'mine', 'more']);
  });

  test('choosing mine stores mine; choosing theirs can be undone, which then saves', async () => {
    for (const what of ['keepMine', 'takeTheirs'] as const) {
      const { server, tab } = opened();
      tab.edit('mine');
      server.change({ graph: ['theirs'] });
      await pause(tab);
      expect(await tab.choose(what)).toBe(true);
      expect(tab.state).toBe('saved');
      if (what === 'takeTheirs') {
        expect(tab.drawn).toEqual(['theirs']);
        tab.undoOnce();
        await pause(tab);
      }
      expect(server.stored.graph).toEqual(['start', 'mine']);
    }
  });

  test('a choice without a response says so and can be repeated', async () => {
    const { server, tab } = opened();
    tab.edit('mine');
    server.change({ graph: ['theirs'] });
    await pause(tab);
    const choice = tab.decide('keepMine');
    await settled();
    await tab.calls[0]?.end('never arrived');
    expect(await choice).toBe(false);
    expect(tab.sync.state().saving).toMatchObject({ state: 'conflict', why: { status: null } });
    expect(await tab.choose('keepMine')).toBe(true);
  });

  test('equal graphs in both tabs are no conflict, nor is a rename', async () => {
    const { server, tab } = opened();
    tab.edit('a');
    server.change({ graph: ['start', 'a'] });
    await pause(tab);
    expect(tab.state).toBe('saved');
    tab.edit('b');
    server.change({});
    await pause(tab);
    expect(tab.state).toBe('saved');
    expect(server.stored.graph).toEqual(['start', 'a', 'b']);
  });
});

test('a queued save does not restore a graph that was replaced meanwhile', async () => {
  const { server, tab } = opened();
  tab.edit('a');
  void tab.sync.save();
  await settled();
  server.change({ graph: ['theirs'] });
  tab.undoOnce();
  void tab.sync.save();
  await tab.answerAll();
  expect(tab.drawn).toEqual(['theirs']);
  expect(server.stored.graph).toEqual(['theirs']);
});

describe('deployed or restored elsewhere', () => {
  test('a deployed graph is shown, and unsaved edits are kept aside until the user decides', async () => {
    const { server, tab } = opened();
    tab.edit('late');
    server.change({ isRunning: true });
    tab.refetch();
    expect(tab.drawn).toEqual(['start']);
    expect(tab.sync.state().outrun).toEqual([['start', 'late']]);
    server.change({ isRunning: false });
    tab.refetch();
    tab.edit('later');
    server.change({ isRunning: true });
    tab.refetch();
    expect(tab.sync.state().outrun).toEqual([
      ['start', 'late'],
      ['start', 'later'],
    ]);
    tab.sync.forgetOutrun();
    expect(tab.sync.state().outrun).toEqual([['start', 'later']]);
  });

  test('edits that were kept aside are not stored by a save that was on its way', async () => {
    const { server, tab } = opened();
    tab.edit('late');
    tab.clock.pass(SAVE_AFTER_MS);
    await settled();
    server.change({ isRunning: true });
    tab.refetch();
    server.change({ isRunning: false });
    await tab.answerAll();
    expect(server.stored.graph).toEqual(['start']);
    expect(tab.sync.state().outrun).toEqual([['start', 'late']]);
    expect(tab.state).toBe('saved');
  });

  test('a draft that runs by now is no conflict', async () => {
    const { server, tab } = opened();
    tab.edit('mine');
    server.change({ graph: ['theirs'] });
    await pause(tab);
    server.change({ isRunning: true });
    expect(await tab.choose('keepMine')).toBe(false);
    expect(tab.state).toBe('saved');
    expect(tab.drawn).toEqual(['theirs']);
    expect(tab.sync.state().outrun).toEqual([['start', 'mine']]);
  });

  test('a restored release replaces the graph, as an edit that can be undone', async () => {
    const { server, tab } = opened();
    tab.edit('unsaved');
    server.change({ graph: ['release 1'] });
    expect(await tab.choose('takeTheirs')).toBe(true);
    expect(tab.drawn).toEqual(['release 1']);
    tab.undoOnce();
    expect(tab.drawn).toEqual(['start', 'unsaved']);
  });
});

describe('leaving', () => {
  test('a page saves before it is left, stops its retries, and continues when it is back', async () => {
    const { server, tab } = opened();
    tab.edit('a');
    tab.sync.left();
    await settled();
    await tab.calls[0]?.end('never arrived');
    tab.clock.pass(10 * RETRY_AFTER_MS);
    await settled();
    expect(tab.calls).toEqual([]);
    expect(tab.sync.hasEdits()).toBe(true);
    tab.sync.opened();
    await pause(tab);
    expect(server.stored.graph).toEqual(['start', 'a']);
  });

  test('a discarded edit is no longer shown and never saved', async () => {
    const { server, tab } = opened();
    tab.edit('a');
    tab.sync.discard();
    tab.sync.left();
    tab.clock.pass(10 * RETRY_AFTER_MS);
    await tab.answerAll();
    expect(tab.drawn).toEqual(['start']);
    expect(server.stored.version).toBe(1);
  });
});
