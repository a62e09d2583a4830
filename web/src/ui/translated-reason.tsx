import { useRuleCatalogue } from './use-rule-catalogue.ts';

/** The service's reason, in the reader's language and units. */
export const TranslatedReason = ({ of }: { of: string | null }) => useRuleCatalogue().reason(of ?? '');
