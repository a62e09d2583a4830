import { onDemand } from '../ui/help/on-demand.tsx';

/** It needs the drawing and the catalogue of nodes, which the first paint does not wait for. */
export const NextAction = onDemand<{ id: string; ids: string[] }>(
  async () => (await import('./next-action.tsx')).NextAction,
  () => null,
  () => null,
);
