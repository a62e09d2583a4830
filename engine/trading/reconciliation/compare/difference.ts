import type { DifferenceKind } from '../../../../db/vocabulary.ts';
import type { Exact } from '../../../platform/decimal.ts';
import type { MovingGap, WaitingGap } from '../gap-state.ts';

/** Details of a difference, in stored form: names and plain decimals. */
export type DifferenceDetails = {
  readonly tokenId?: string;
  readonly side?: 'buy' | 'sell';
  /** Surplus of the venue over the books and all explanations; negative: shortfall. */
  readonly gap?: string;
  /** Parts of the gap that known orders explain for a while. */
  readonly waits?: readonly WaitingGap[];
  readonly price?: string;
  readonly fee?: string;
  readonly orderId?: string;
  readonly venueOrderId?: string;
  readonly tradeId?: string;
  /** Whether the venue reversed the trade. */
  readonly isFailed?: boolean;
};

/** A difference between the books and the venue. Amounts in the instrument's unit, cash in USD. */
export type Difference = {
  /** Subject by {@link differenceSubjects}: each has at most one difference at a time. */
  readonly subject: string;
  readonly kind: DifferenceKind;
  readonly ours: Exact | null;
  readonly theirs: Exact | null;
  /** USD, never below zero; null if unknown, which exceeds any limit. */
  readonly worth: Exact | null;
  readonly about: DifferenceDetails;
  /** Set while orders move it: the whole gap, while `about.gap` may be only the unexplained part. */
  readonly moving?: MovingGap;
  /** Maximum duration of a `lag`; a longer one is unexplained. */
  readonly graceMs?: number;
};

/** Kinds of subjects that one run can cover. */
export const DIFFERENCE_SCOPES = ['order', 'fill', 'position', 'unredeemed', 'cash'] as const;
export type DifferenceScope = (typeof DIFFERENCE_SCOPES)[number];

/** Builds the names of subjects. */
export const differenceSubjects = {
  order: (venueOrderId: string) => `order:${venueOrderId}`,
  fill: (venueOrderId: string, tradeId: string) => `fill:${venueOrderId}:${tradeId}`,
  position: (tokenId: string) => `position:${tokenId}`,
  unredeemed: (tokenId: string) => `unredeemed:${tokenId}`,
  cash: 'cash:USD',
  /** By the id in the venue's record. */
  transfer: (id: string) => `transfer:${id}`,
} as const;

export const isInScopes = (scopes: readonly DifferenceScope[], subject: string): boolean =>
  scopes.some((scope) => subject.startsWith(`${scope}:`));
