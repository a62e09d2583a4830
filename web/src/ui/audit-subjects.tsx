import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type Outputs, trpc } from '../api/trpc.ts';
import { actorWords, nameIn, strategyIn } from '../format/trading/audit.ts';
import { t } from '../language/language.ts';

type Entry = Pick<Outputs['audit']['list'][number], 'action' | 'subjectId' | 'before' | 'after'>;

export type Subject = {
  /** Its present name, or the one when it was recorded; null if it has no name. */
  name: string | null;
  /** The link to it, if it still exists. */
  link: ReactNode;
  /** The strategy of an order or a fill, by its name; null if there is none any more. */
  strategy: { id: string; name: string } | null;
};

/** The subject of a recorded change. */
export function useAuditSubjects(): (entry: Entry) => Subject {
  const blueprints = useQuery(trpc.console.blueprints.queryOptions({}));
  const names = new Map(blueprints.data?.map(({ id, name }) => [id, name]));
  const connections = useQuery(trpc.venueConnections.list.queryOptions({}));
  const labels = new Map(connections.data?.map(({ id, label }) => [id, label]));
  return ({ action, subjectId, before, after }) => {
    const current = subjectId === null ? undefined : names.get(subjectId);
    const label = subjectId === null ? undefined : labels.get(subjectId);
    const name = current ?? label ?? nameIn(after) ?? nameIn(before);
    const strategyId = strategyIn(after);
    const strategy = strategyId === null ? undefined : names.get(strategyId);
    return {
      name,
      link: subjectId === null ? null : linkTo(action, subjectId, current, name),
      strategy: strategyId === null || strategy === undefined ? null : { id: strategyId, name: strategy },
    };
  };
}

export const StrategyLink = ({ id, name }: { id: string; name: string }) => (
  <Link to="/blueprints/$id" params={{ id }}>
    {name}
  </Link>
);

function linkTo(action: string, id: string, blueprint: string | undefined, name: string | null): ReactNode {
  if (blueprint !== undefined) return <StrategyLink id={id} name={blueprint} />;
  if (/^(order|fill)\./.test(action)) {
    return (
      <Link to="/orders" search={{ order: id }}>
        {t('the order')}
      </Link>
    );
  }
  if (action.startsWith('venue_connection.')) {
    return <Link to="/connections">{name ?? t('a connection')}</Link>;
  }
  return action.startsWith('api_key.') ? <Link to="/keys">{name ?? t('API keys')}</Link> : null;
}

/** The actor of an entry, with the names of present and former keys. */
export function useAuditActors(): (actor: string) => string {
  const keys = useQuery(trpc.agentKeys.list.queryOptions({}));
  const names = new Map(keys.data?.map(({ id, name }) => [id, name]));
  return (actor) => actorWords(actor, names);
}
