import type { Venue } from '../../db/columns.ts';
import type { Work } from '../context.ts';

/** `totalPnl` is a decimal string in USD. */
export type PortfolioSummary = {
  runningBlueprints: number;
  openPositions: number;
  pendingOrders: number;
  totalPnl: string;
};

export async function portfolioSummary(_work: Work): Promise<PortfolioSummary> {
  throw new Error('under construction');
}

/** Decimals are strings, times ISO 8601. `markPrice` is null until the first quote. */
export type PositionView = {
  tokenId: string;
  venue: Venue;
  title: string;
  amount: string;
  amountClosing: string;
  averageCost: string;
  markPrice: string | null;
  unrealizedPnl: string | null;
  realizedPnl: string;
  blueprintId: string;
  openedAt: string;
  updatedAt: string;
};

export async function listPositions(_work: Work): Promise<PositionView[]> {
  throw new Error('under construction');
}
