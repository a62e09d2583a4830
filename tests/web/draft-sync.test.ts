import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RETRY_AFTER_MS, SAVE_AFTER_MS } from '../../web/src/editor/draft-sync.ts';
import { DraftServer, DraftTab, type Marks, settled } from './draft-desk.ts';

function opened() {
  const server = new DraftServer();
  return { server, tab: new DraftTab(server) };
}

/** The pause after the last edit goes by, and what is then asked is answered. */
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
    expect(server.stored).toEqual({ drawing: ['start', 'a', 'b'], version: 2, isRunning: false });
    expect(tab.state).toBe('saved');
    expect(tab.sync.state().saving.at).not.toBeNull();
  });

  test('what is edited while a save is on its way is saved after it, over the version it made', async () => {
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

  test('what is undone before it was saved is sent nowhere', async () => {
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
    expect(server.stored.drawing).toEqual(['start']);
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
  test('what could not be sent is sent again by itself', async () => {
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
    expect(server.stored.drawing).toEqual(['start', 'a']);
    expect(tab.state).toBe('saved');
  });

  test('a save whose answer was lost is no conflict with oneself', async () => {
    const { server, tab } = opened();
    tab.edit('a');
    tab.clock.pass(SAVE_AFTER_MS);
    await settled();
    await tab.calls[0]?.end('answer lost');
    tab.edit('b');
    await pause(tab);
    expect(server.stored.drawing).toEqual(['start', 'a', 'b']);
    expect(tab.state).toBe('saved');
  });

  test('a save that is waited for says whether it was one', async () => {
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
  test('what the other tab saved is taken over while nothing here is unsaved', async () => {
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
    expect(server.stored.drawing).toEqual(['start', 'theirs']);
    expect(tab.drawn).toEqual(['start', 'mine', 'more']);
  });

  test('mine over theirs stores mine; theirs over mine can be undone and then saves', async () => {
    for (const what of ['keepMine', 'takeTheirs'] as const) {
      const { server, tab } = opened();
      tab.edit('mine');
      server.change({ drawing: ['theirs'] });
      await pause(tab);
      expect(await tab.choose(what)).toBe(true);
      expect(tab.state).toBe('saved');
      if (what === 'takeTheirs') {
        expect(tab.drawn).toEqual(['theirs']);
        tab.undoOnce();
        await pause(tab);
      }
      expect(server.stored.drawing).toEqual(['start', 'mine']);
    }
  });

  test('a choice that gets no answer says so and can be made again', async () => {
    const { server, tab } = opened();
    tab.edit('mine');
    server.change({ drawing: ['theirs'] });
    await pause(tab);
    const choice = tab.decide('keepMine');
    await settled();
    await tab.calls[0]?.end('never arrived');
    expect(await choice).toBe(false);
    expect(tab.sync.state().saving).toMatchObject({ state: 'conflict', why: { status: null } });
    expect(await tab.choose('keepMine')).toBe(true);
  });

  test('both tabs at the same drawing are no conflict, and a rename is none either', async () => {
    const { server, tab } = opened();
    tab.edit('a');
    server.change({ drawing: ['start', 'a'] });
    await pause(tab);
    expect(tab.state).toBe('saved');
    tab.edit('b');
    server.change({});
    await pause(tab);
    expect(tab.state).toBe('saved');
    expect(server.stored.drawing).toEqual(['start', 'a', 'b']);
  });
});

test('a save that waits its turn does not bring back what was replaced meanwhile', async () => {
  const { server, tab } = opened();
  tab.edit('a');
  void tab.sync.save();
  await settled();
  server.change({ drawing: ['theirs'] });
  tab.undoOnce();
  void tab.sync.save();
  await tab.answerAll();
  expect(tab.drawn).toEqual(['theirs']);
  expect(server.stored.drawing).toEqual(['theirs']);
});

describe('deployed or restored elsewhere', () => {
  test('what runs is shown, and edits that were not saved are kept aside until somebody decides', async () => {
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
    expect(server.stored.drawing).toEqual(['start']);
    expect(tab.sync.state().outrun).toEqual([['start', 'late']]);
    expect(tab.state).toBe('saved');
  });

  test('a conflict with what runs by now is none', async () => {
    const { server, tab } = opened();
    tab.edit('mine');
    server.change({ drawing: ['theirs'] });
    await pause(tab);
    server.change({ isRunning: true });
    expect(await tab.choose('keepMine')).toBe(false);
    expect(tab.state).toBe('saved');
    expect(tab.drawn).toEqual(['theirs']);
    expect(tab.sync.state().outrun).toEqual([['start', 'mine']]);
  });

  test('a restored release replaces what is drawn, as an edit that can be undone', async () => {
    const { server, tab } = opened();
    tab.edit('unsaved');
    server.change({ drawing: ['release 1'] });
    expect(await tab.choose('takeTheirs')).toBe(true);
    expect(tab.drawn).toEqual(['release 1']);
    tab.undoOnce();
    expect(tab.drawn).toEqual(['start', 'unsaved']);
  });
});

describe('leaving', () => {
  test('the page that is left saves first, tries no further, and goes on when it is back', async () => {
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
    expect(server.stored.drawing).toEqual(['start', 'a']);
  });

  test('what is given up is drawn no more and never saved', async () => {
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

type Move =
  | { do: 'edit' | 'undo' | 'pause' | 'save' | 'refetch' | 'leave and return' | 'keepMine' | 'takeTheirs' }
  | { do: 'elsewhere'; what: 'edited' | 'renamed' | 'deployed' | 'stopped' }
  | { do: 'end'; how: 'answered' | 'answer lost' | 'never arrived' | 'too busy' };

const move: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constantFrom('edit' as const, 'pause' as const) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'undo' as const,
        'save' as const,
        'refetch' as const,
        'leave and return' as const,
        'keepMine' as const,
        'takeTheirs' as const,
      ),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('elsewhere' as const),
      what: fc.constantFrom('edited' as const, 'renamed' as const, 'deployed' as const, 'stopped' as const),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('end' as const),
      how: fc.constantFrom(
        'answered' as const,
        'answered' as const,
        'answer lost' as const,
        'never arrived' as const,
        'too busy' as const,
      ),
    }),
  },
);

test('whatever happens in whatever order, nothing typed is lost, one save is under way, and nothing unseen is overwritten', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(move, { maxLength: 60 }), async (moves) => {
      const { server, tab } = opened();
      let made = 0;
      /** Marks of mine that I did not take back myself. */
      const kept = new Set<string>();
      const elsewhere = (what: 'edited' | 'renamed' | 'deployed' | 'stopped') => {
        const { drawing, isRunning } = server.stored;
        if (what === 'edited' && !isRunning) server.change({ drawing: [...drawing, `other ${++made}`] });
        if (what === 'renamed') server.change({});
        if (what === 'deployed') server.change({ isRunning: true });
        if (what === 'stopped') server.change({ isRunning: false });
      };
      const act = async (each: Move) => {
        // What runs is not edited, and a choice is offered by a conflict alone.
        const isRunning = server.stored.isRunning;
        if (each.do === 'edit' && !isRunning) {
          const mark = `mine ${++made}`;
          kept.add(mark);
          tab.edit(mark);
        }
        if (each.do === 'undo' && !isRunning) {
          const before = tab.drawn;
          tab.undoOnce();
          for (const mark of before) if (!tab.drawn.includes(mark)) kept.delete(mark);
          for (const mark of tab.drawn) if (mark.startsWith('mine')) kept.add(mark);
        }
        if (each.do === 'pause') tab.clock.pass(RETRY_AFTER_MS);
        if (each.do === 'save') void tab.sync.save();
        if (each.do === 'refetch') tab.refetch();
        if (each.do === 'leave and return') {
          tab.sync.left();
          tab.sync.opened();
        }
        if (each.do === 'elsewhere') elsewhere(each.what);
        if (each.do === 'end') await tab.calls[0]?.end(each.how);
        if ((each.do === 'keepMine' || each.do === 'takeTheirs') && tab.state === 'conflict')
          void tab.decide(each.do);
        await settled();
      };
      const holds = (marks: Marks, mark: string) => marks.includes(mark);
      const check = () => {
        const { saving, outrun } = tab.sync.state();
        const safe = [tab.drawn, ...tab.undo, ...outrun, ...server.history];
        for (const mark of kept)
          if (!safe.some((marks) => holds(marks, mark))) throw new Error(`lost ${mark}`);
        expect(tab.storesAtOnce).toBeLessThanOrEqual(1);
        expect(tab.overwritten).toEqual([]);
        if (saving.state === 'saved') expect(tab.sync.hasEdits()).toBe(false);
        if (!tab.sync.hasEdits())
          expect(server.history.map((each) => each.join())).toContain(tab.drawn.join());
      };
      for (const each of moves) {
        await act(each);
        check();
      }
      // In the end everything answers, and what is drawn is what is stored, or a person is asked.
      if (server.stored.isRunning) elsewhere('stopped');
      for (let rounds = 0; rounds < 4; rounds++) {
        await tab.answerAll();
        tab.refetch();
        tab.clock.pass(RETRY_AFTER_MS);
        await tab.answerAll();
        check();
      }
      if (tab.state === 'conflict') expect(await tab.choose('keepMine')).toBe(true);
      check();
      expect(tab.state).toBe('saved');
      expect(server.stored.drawing).toEqual(tab.drawn);
    }),
    { numRuns: 1_000 },
  );
});
