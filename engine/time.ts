/** A timestamp as the pool gives it (text) or as we wrote it, as ISO 8601 in UTC. */
export const toIso = (moment: string | Date): string => new Date(moment).toISOString();

export const toIsoOrNull = (moment: string | Date | null): string | null =>
  moment === null ? null : toIso(moment);
