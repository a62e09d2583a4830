import { useRuleCatalogue } from './use-rule-catalogue.ts';

/** The service's own reason, for display. */
export const Reason = ({ of }: { of: string | null }) => useRuleCatalogue().reason(of ?? '');
