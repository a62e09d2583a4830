import { useRules } from './use-rules.ts';

/** The service's own reason in what a person reads. */
export const Reason = ({ of }: { of: string | null }) => useRules().reason(of ?? '');
