import type { Selectable } from 'kysely';
import type { Json } from '../../db/json.ts';
import type { Database } from '../../db/tables.ts';
import type { Mode } from '../../db/vocabulary.ts';
import { DECISION_INPUT_COLUMNS } from '../platform/transition-digest.ts';
import type { ClockSetbacks } from './clock-setbacks.ts';

type Row<Table extends keyof Database> = Selectable<Database[Table]>;

export type StepRow = Row<'order_transition'>;
export type FillRow = Row<'fill'>;
export type FillPartRow = Row<'fill_allocation'>;
export type ReservationRow = Row<'order_allocation'>;
export type CashRow = Row<'cash_entry'>;
export type AuditRow = Row<'audit_event'>;
/** An order with the inputs of its decision, which digests prove. */
export type LedgerOrderRow = Pick<Row<'trade_order'>, (typeof ORDER_COLUMNS)[number]> & {
  /** Its evidence is in the archive, and was not read: what needs it is not checked. */
  readonly isUnread?: boolean;
};

export type InstrumentRow = Pick<Row<'instrument'>, 'token_id' | 'kind' | 'settlement_value'>;
export type DeploymentRow = Pick<Row<'deployment'>, (typeof DEPLOYMENT_COLUMNS)[number]>;
export type ConnectionRow = Pick<Row<'venue_connection'>, (typeof CONNECTION_COLUMNS)[number]>;
export type KeyRow = Pick<Row<'api_key'>, (typeof KEY_COLUMNS)[number]> & {
  /** The client whose tokens stand for the key, if there is a grant of it. */
  readonly client_id: string | null;
};
export type ExplainedRow = Pick<Row<'venue_difference'>, 'id' | 'resolved_by' | 'about' | 'theirs'>;
export type DispatchRow = Pick<Row<'order_dispatch'>, (typeof DISPATCH_COLUMNS)[number]>;
export type PaperOrderRow = Pick<Row<'paper_order'>, (typeof PAPER_ORDER_COLUMNS)[number]>;
export type PaperFillRow = Pick<Row<'paper_fill'>, (typeof PAPER_FILL_COLUMNS)[number]>;
export type ReleaseRow = { readonly hash: string; readonly visual: Json };

export const ORDER_COLUMNS = [
  ...DECISION_INPUT_COLUMNS,
  'good_till',
  'connection_id',
  'venue_order_id',
  'amount',
  'limit_price',
  'size',
  'worst_fee',
  'filled_amount',
  'filled_notional',
  'fees',
  'status',
  'reason_code',
  'reason',
  'approval_receipt',
  'approved_by',
  'queued_at',
  'expires_at',
  'ended_at',
] as const;
export const DEPLOYMENT_COLUMNS = ['id', 'blueprint_id', 'release_number', 'started_at', 'ended_at'] as const;
export const CONNECTION_COLUMNS = [
  'id',
  'venue',
  'environment',
  'state',
  'is_held_by_person',
  'max_order',
  'max_day',
  'max_open_notional',
] as const;
export const KEY_COLUMNS = ['id', 'scopes', 'envelope', 'expires_at', 'revoked_at'] as const;
export const DISPATCH_COLUMNS = ['order_id', 'connection_id', 'client_order_id', 'venue_order_id'] as const;
export const PAPER_ORDER_COLUMNS = [
  'id',
  'token_id',
  'venue',
  'side',
  'amount',
  'limit_price',
  'filled_amount',
] as const;
export const PAPER_FILL_COLUMNS = ['id', 'order_id', 'token_id', 'side', 'amount', 'price', 'fee'] as const;

/** The money of one account in one mode. */
export type LedgerAccount = { readonly accountId: string; readonly mode: Mode };

/** A node of a deployment with more orders than it counted, or with more than one live order. */
export type NodeOrdersRow = LedgerAccount & {
  readonly deploymentId: string;
  readonly nodeId: string;
  /** All its orders; of a deployment in error, those since its memory began. */
  readonly orders: number;
  /** The live ones of all its orders. */
  readonly live: number;
  /** The count in the node's memory; null where it has none. */
  readonly counted: Json;
  /** Whether the memory holds the node at all. */
  readonly isRemembered: boolean;
  /** Whether the deployment and all its nodes run, with a memory that was stored a while ago. */
  readonly isSettled: boolean;
};

/** The facts of an account before its first page: everything that does not grow with the number of its orders. */
export type StoredBooks = LedgerAccount & {
  readonly tradingAccount: Row<'trading_account'>;
  readonly positions: readonly Row<'position'>[];
  readonly days: readonly Row<'account_day'>[];
  readonly deposits: readonly CashRow[];
  /** Money that moved without a fill, in the order of the ledger, and its rows of the audit trail. */
  readonly moves: readonly CashRow[];
  readonly statedMoves: readonly AuditRow[];
  /** Sum of all its cash entries. */
  readonly cashTotal: string;
  readonly rules: Row<'risk_rules'> | undefined;
  readonly ruleChanges: readonly AuditRow[];
  /** Each time the loss of a day tripped the account. */
  readonly trips: readonly AuditRow[];
  /** The drawdown stop: each time it was turned on, each time it stopped the account, and its current state. */
  readonly watches: readonly AuditRow[];
  readonly stops: readonly AuditRow[];
  readonly watch: Row<'drawdown_watch'> | undefined;
  /** Each time a waiting close gave back an amount that a blueprint sold on its own. */
  readonly reductions: readonly AuditRow[];
  /** Each time a holding was booked out at a stated value: by a person, or to match its venue. */
  readonly writeOffs: readonly AuditRow[];
  /** Each payout of a settlement. */
  readonly payouts: readonly AuditRow[];
  /** Each compares state with its rows of the audit trail. */
  readonly auditTrailChecks: readonly ((report: Report) => void)[];
  /** By time, also those in the archive if it is read. */
  readonly equityPoints: readonly Row<'equity_point'>[];
  /** Stored events: their first and last number and their count; `counted` is the account's own counter. */
  readonly events: { counted: string; first: string | null; last: string | null; rows: number };
  /** Whether orders of the account reached the paper venue. If not, it traded with another broker. */
  readonly hasPaperOrders: boolean;
  /** Nodes of deployments with more orders than they counted, or with more than one live order. */
  readonly origins: readonly NodeOrdersRow[];
  /** The time from which every step has a digest. Null: no step needs one. */
  readonly digestsSince: Date | null;
  readonly timeOrder: ClockSetbacks;
  readonly readAt: Date;
};

/** An order on the page where its first entry is. */
export type FirstSeen = {
  readonly row: LedgerOrderRow;
  readonly allocations: readonly ReservationRow[];
  /** The request that was sent to the venue; null before it was sent. */
  readonly dispatch: DispatchRow | null;
  /** The number of its steps and fills in the whole ledger; after the last of them it is compared and forgotten. */
  readonly entries: number;
};

export type StepEntry = { readonly step: StepRow };
/** A fill with everything that was booked for it. */
export type FillEntry = {
  readonly fill: FillRow;
  readonly parts: readonly FillPartRow[];
  readonly cash: readonly CashRow[];
};

/** A part of the ledger and the rows that must agree with it. */
export type LedgerPage = {
  readonly orders: readonly FirstSeen[];
  /** In the order of the ledger. */
  readonly entries: readonly (StepEntry | FillEntry)[];
  /** The instruments of the page's settlements. */
  readonly instruments: readonly InstrumentRow[];
  /** The paper venue's record of the orders whose last entry is here. */
  readonly paperOrders: readonly PaperOrderRow[];
  /** The paper venue's trades of those orders, and those that were booked here. */
  readonly paperFills: readonly PaperFillRow[];
  readonly releases: readonly ReleaseRow[];
  /** Rows whose order or fill is gone. */
  readonly strays: readonly { readonly subject: string; readonly id: string }[];
};

export const EMPTY_PAGE: LedgerPage = {
  orders: [],
  entries: [],
  instruments: [],
  paperOrders: [],
  paperFills: [],
  releases: [],
  strays: [],
};

/** Reports a number that differs from the expected one. */
export type Report = (subject: string, id: string, field: string, expected: string, actual: string) => void;

/** A number that differs from what fills and receipts imply. */
export type Difference = {
  accountId: string;
  /** The table, or another subject. */
  subject: string;
  id: string;
  field: string;
  expected: string;
  actual: string;
};
