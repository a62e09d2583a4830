import { useQuery } from '@tanstack/react-query';
import { trpc } from '../api/trpc.ts';
import { catalogueOf } from './drawing/model.ts';

/** What the server knows of nodes. It changes with the server alone, and then the page is loaded anew. */
export const useCatalogue = () =>
  useQuery({
    ...trpc.console.nodeTypes.queryOptions({}),
    staleTime: Number.POSITIVE_INFINITY,
    select: catalogueOf,
  });
