import { instant, type RowFormat, text } from './row-file.ts';

/** Texts of `numeric` as PostgreSQL writes them, USD: they return to the same values. */
export type EquityRow = {
  /** Epoch ms. */
  readonly at: bigint;
  readonly equity: string;
  readonly cash: string;
  readonly realizedPnl: string;
  readonly unrealizedPnl: string;
};

/** Points of the equity of an account's books in one mode. */
export const EQUITY_FILE: RowFormat<EquityRow> = {
  columns: { at: 'instant', equity: 'text', cash: 'text', realizedPnl: 'text', unrealizedPnl: 'text' },
  read: (row) => ({
    at: instant(row['at']),
    equity: text(row['equity']),
    cash: text(row['cash']),
    realizedPnl: text(row['realizedPnl']),
    unrealizedPnl: text(row['unrealizedPnl']),
  }),
};

/** As {@link EquityRow}. */
export type BlueprintEquityRow = {
  readonly blueprintId: string;
  /** Epoch ms. */
  readonly at: bigint;
  readonly realizedPnl: string;
  readonly unrealizedPnl: string;
  readonly held: string;
};

/** Points of the blueprints of an account in one mode, by blueprint and time. */
export const BLUEPRINT_EQUITY_FILE: RowFormat<BlueprintEquityRow> = {
  columns: { blueprintId: 'text', at: 'instant', realizedPnl: 'text', unrealizedPnl: 'text', held: 'text' },
  read: (row) => ({
    blueprintId: text(row['blueprintId']),
    at: instant(row['at']),
    realizedPnl: text(row['realizedPnl']),
    unrealizedPnl: text(row['unrealizedPnl']),
    held: text(row['held']),
  }),
};
