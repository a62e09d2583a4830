import type { DifferenceKind } from '../../../../db/vocabulary.ts';
import type { Exact } from '../../../platform/decimal.ts';
import type { Moving, Waiting } from '../lasting.ts';

/** What a difference is about, as it is stored: names and plain decimals. */
export type About = {
  readonly tokenId?: string;
  readonly side?: 'buy' | 'sell';
  /** What the venue has more than the books and all that explains it; below zero: less. */
  readonly gap?: string;
  /** Parts of the gap that known orders explain for a while. */
  readonly waits?: readonly Waiting[];
  readonly price?: string;
  readonly fee?: string;
  readonly orderId?: string;
  readonly venueOrderId?: string;
  readonly tradeId?: string;
  /** The venue took the trade back. */
  readonly isFailed?: boolean;
};

/** Something that is one thing in the books and another at the venue. Amounts in the instrument's unit, cash in USD. */
export type Difference = {
  /** What it is about, by {@link subjects}: of each there is one difference at a time. */
  readonly subject: string;
  readonly kind: DifferenceKind;
  readonly ours: Exact | null;
  readonly theirs: Exact | null;
  /** USD, never below zero; null where nobody can tell, which counts as more than any limit. */
  readonly worth: Exact | null;
  readonly about: About;
  /** Given while something moves: the whole gap, where `about.gap` may be the part that is beyond all explanation. */
  readonly moving?: Moving;
  /** A `lag` that lasts longer than this is none. */
  readonly patienceMs?: number;
};

/** What one look at a venue account can tell about. */
export const SCOPES = ['order', 'fill', 'position', 'unredeemed', 'cash'] as const;
export type Scope = (typeof SCOPES)[number];

/** Names of what can differ. */
export const subjects = {
  order: (venueOrderId: string) => `order:${venueOrderId}`,
  fill: (venueOrderId: string, tradeId: string) => `fill:${venueOrderId}:${tradeId}`,
  position: (tokenId: string) => `position:${tokenId}`,
  unredeemed: (tokenId: string) => `unredeemed:${tokenId}`,
  cash: 'cash:USD',
  /** By the id of the venue's own record. */
  transfer: (id: string) => `transfer:${id}`,
} as const;

export const isIn = (scopes: readonly Scope[], subject: string): boolean =>
  scopes.some((scope) => subject.startsWith(`${scope}:`));
