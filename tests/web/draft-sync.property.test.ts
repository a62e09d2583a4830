import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RETRY_AFTER_MS } from '../../web/src/editor/draft-sync.ts';
import { DraftServer, DraftTab, type Marks, settled } from './draft-server.ts';

function opened() {
  const server = new DraftServer();
  return { server, tab: new DraftTab(server) };
}

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
      /** Marks of this tab that it did not take back. */
      const own = new Set<string>();
      const elsewhere = (what: 'edited' | 'renamed' | 'deployed' | 'stopped') => {
        const { graph, isRunning } = server.stored;
        if (what === 'edited' && !isRunning) server.change({ graph: [...graph, `other ${++made}`] });
        if (what === 'renamed') server.change({});
        if (what === 'deployed') server.change({ isRunning: true });
        if (what === 'stopped') server.change({ isRunning: false });
      };
      const act = async (each: Move) => {
        // A running blueprint is not edited, and only a conflict offers a choice.
        const isRunning = server.stored.isRunning;
        if (each.do === 'edit' && !isRunning) {
          const mark = `mine ${++made}`;
          own.add(mark);
          tab.edit(mark);
        }
        if (each.do === 'undo' && !isRunning) {
          const before = tab.drawn;
          tab.undoOnce();
          for (const mark of before) if (!tab.drawn.includes(mark)) own.delete(mark);
          for (const mark of tab.drawn) if (mark.startsWith('mine')) own.add(mark);
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
        for (const mark of own)
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
      // At the end every call is answered: the graph on screen is the stored one, or the user is asked.
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
      expect(server.stored.graph).toEqual(tab.drawn);
    }),
    { numRuns: 1_000 },
  );
});
