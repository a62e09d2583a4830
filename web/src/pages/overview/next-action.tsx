import { useQuery } from '@tanstack/react-query';
import type { Blueprint } from '../../api/row-types.ts';
import { trpc } from '../../api/trpc.ts';
import { useBlockingConditions } from '../../editor/use-blocking-conditions.ts';
import { blockingConditionWords } from '../../format/blocking-condition-words.ts';

/** The action of a strategy that is nearest to happening, and how far its condition is from holding. */
export function NextAction({ id }: { id: string }) {
  const { data: blueprint } = useQuery(trpc.console.blueprint.queryOptions({ id }));
  return blueprint ? <Nearest blueprint={blueprint} /> : null;
}

function Nearest({ blueprint }: { blueprint: Blueprint }) {
  const [nearest] = useBlockingConditions(blueprint).sort(
    (one, other) => distanceOf(one) - distanceOf(other),
  );
  return nearest ? <span className="dim small clip">{blockingConditionWords(nearest)}</span> : null;
}

const distanceOf = ({ isMet, away }: { isMet: boolean; away: number | null }): number =>
  isMet ? 0 : (away ?? Number.POSITIVE_INFINITY);
