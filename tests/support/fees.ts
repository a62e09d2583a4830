import type { FeeSchedule } from '../../venues/port.ts';

export const NO_FEE = {
  formula: 'notional',
  takerRate: '0',
  makerRate: '0',
  exponent: 1,
  roundUpTo: null,
} as const satisfies FeeSchedule;

export const VENUE_A_FEE = {
  formula: 'probability',
  takerRate: '0.07',
  makerRate: '0',
  exponent: 1,
  roundUpTo: '0.0001',
} as const satisfies FeeSchedule;
