/** Optional rules, each under its name in `OPTIONAL_LIMITS`. */
export { maxBlueprintBudget } from './max-blueprint-budget.ts';
export { maxDrawdown } from './max-drawdown.ts';
export { maxGrossExposure } from './max-gross-exposure.ts';
export { maxPositionSize } from './max-position-size.ts';
export { maxVenueExposure } from './max-venue-exposure.ts';
