import { useQuery } from '@tanstack/react-query';
import type { Blueprint } from '../api/row-types.ts';
import { trpc } from '../api/trpc.ts';
import { blockingConditionWords } from '../format/blocking-condition-words.ts';
import type { BlockingCondition } from './drawing/blocking-conditions.ts';
import { useBlockingConditions } from './use-blocking-conditions.ts';

/** Node values are no event of this page. Reading them also keeps them written. */
const VALUES_MS = 10_000;

type NextActionProps = {
  id: string;
  /** All strategies of the list: their values are read together. */
  ids: string[];
};

/** The action of a strategy that is nearest to happening, and how far its condition is from holding. */
export function NextAction({ id, ids }: NextActionProps) {
  const { data: blueprint } = useQuery(trpc.console.blueprint.queryOptions({ id }));
  const values = useQuery({
    ...trpc.console.nodeValues.queryOptions({ ids }),
    refetchInterval: VALUES_MS,
  });
  const found = values.data?.find((each) => each.id === id);
  return blueprint && found ? <Nearest blueprint={{ ...blueprint, nodeStates: found.nodeStates }} /> : null;
}

function Nearest({ blueprint }: { blueprint: Blueprint }) {
  const [nearest] = useBlockingConditions(blueprint).sort(
    (one, other) => distanceOf(one) - distanceOf(other),
  );
  return nearest ? <span className="dim small clip">{blockingConditionWords(nearest)}</span> : null;
}

/** A condition that holds comes last: its action has happened, and happens again once it has been false. */
const distanceOf = ({ isMet, away, dueAt }: BlockingCondition): number =>
  isMet ? Number.POSITIVE_INFINITY : (away ?? dueAt ?? Number.MAX_VALUE);
