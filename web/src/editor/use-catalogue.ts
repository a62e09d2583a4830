import { useQuery } from '@tanstack/react-query';
import { trpc } from '../api/trpc.ts';
import { catalogueOf } from './drawing/model.ts';

/** The server's catalogue of nodes. It changes only with the server, and then the page is reloaded. */
export const useCatalogue = () =>
  useQuery({
    ...trpc.console.nodeTypes.queryOptions({}),
    staleTime: Number.POSITIVE_INFINITY,
    select: catalogueOf,
  });
