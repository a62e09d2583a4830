import { useRules } from './use-rules.ts';

/** The service's own reason, for display. */
export const Reason = ({ of }: { of: string | null }) => useRules().reason(of ?? '');
