import { BALANCE_CHECKS } from '../balance-checks.ts';
import { KEY_LIMITS } from '../key-limits.ts';
import { LIVE_LIMITS } from '../live-limits.ts';
import { routeCheck } from '../route-block.ts';
import type { CheckTerms } from '../rule.ts';

/** Checks that a receipt can have a line of, apart from the rules. */
export const OTHER_CHECKS: readonly CheckTerms[] = [
  ...KEY_LIMITS,
  routeCheck,
  ...LIVE_LIMITS,
  ...BALANCE_CHECKS,
];
