/** How each table of an account is exported, and how it is erased. */

/** On erasure a table stays as part of the ledger, is deleted, or gets these columns set to SQL values. */
type Erasure = 'kept' | 'deleted' | Readonly<Record<string, string>>;

export type AccountTable = {
  /** The primary key after the account, in order. */
  readonly key: readonly string[];
  readonly erased: Erasure;
  /** Left out of an export: secrets, and large derived values. */
  readonly without?: readonly string[];
  /** Rows may be large: few are read at once. */
  readonly isWide?: true;
};

const NAMELESS = "'Erased'";

/**
 * Every table whose rows belong to an account; children before parents among those that are deleted. A test compares it with
 * the catalogue: a new table needs its line here.
 */
export const ACCOUNT_TABLES: Readonly<Record<string, AccountTable>> = {
  membership: { key: ['user_id'], erased: 'kept' },
  trading_account: { key: ['mode'], erased: 'kept' },
  risk_rules: { key: ['mode'], erased: 'kept' },
  drawdown_watch: { key: ['mode'], erased: 'kept' },
  ledger_check: { key: ['mode'], erased: 'kept' },
  ledger_head: { key: ['is_denial'], erased: 'kept', without: ['hash'] },
  archived_part: { key: ['number'], erased: 'kept', isWide: true },
  ledger_link: { key: ['is_denial', 'number'], erased: 'kept', without: ['digests', 'hash'] },
  cash_entry: { key: ['id'], erased: 'kept' },
  account_day: { key: ['mode', 'day'], erased: 'kept' },
  equity_point: { key: ['mode', 'at'], erased: 'kept' },
  blueprint_equity: { key: ['mode', 'blueprint_id', 'at'], erased: 'kept' },
  notification_delivery: { key: ['id'], erased: 'deleted' },
  notification: { key: ['id'], erased: 'deleted' },
  notification_channel: {
    key: ['id'],
    erased: 'deleted',
    without: ['wrapped_key', 'nonce', 'ciphertext', 'tag'],
  },
  notification_cursor: { key: [], erased: 'deleted' },
  notification_mark: { key: ['name'], erased: 'deleted' },
  account_event: { key: ['seq'], erased: 'deleted' },
  idempotency_key: { key: ['key'], erased: 'deleted', isWide: true },
  oauth_grant: {
    key: ['id'],
    erased: 'deleted',
    without: ['code_hash', 'code_challenge', 'access_hash', 'family_hash', 'refresh_hash'],
  },
  api_key: { key: ['id'], erased: { name: NAMELESS }, without: ['token_hash'] },
  backtest_part: { key: ['backtest_id', 'kind', 'seq'], erased: 'deleted', without: ['body'] },
  backtest: { key: ['id'], erased: 'deleted', isWide: true },
  sweep_trial: {
    key: ['sweep_id', 'stage', 'fold', 'number'],
    erased: 'deleted',
    without: ['returns'],
  },
  sweep: { key: ['id'], erased: 'deleted', isWide: true },
  history_import: { key: ['id'], erased: 'deleted' },
  signal_value: { key: ['name', 'number'], erased: 'deleted', without: ['message_key'] },
  signal: { key: ['name'], erased: 'deleted', without: ['token_hash'] },
  intent_request: { key: ['deployment_id', 'node_id', 'step_at'], erased: 'deleted' },
  deployment_nodes: { key: ['deployment_id'], erased: 'deleted', isWide: true },
  deployment_state: { key: ['deployment_id'], erased: 'deleted', isWide: true },
  deployment: { key: ['id'], erased: 'kept' },
  share_link: { key: ['id'], erased: 'deleted', without: ['token_hash'] },
  release: { key: ['blueprint_id', 'number'], erased: { name: NAMELESS } },
  release_body: { key: ['hash'], erased: { visual: 'null' }, isWide: true },
  blueprint: {
    key: ['id'],
    erased: {
      name: NAMELESS,
      visual: 'null',
      visual_bytes: '0',
      thesis_id: 'null',
      tags: "'{}'",
      error: 'null',
      deleted_at: 'coalesce(deleted_at, updated_at)',
    },
    isWide: true,
  },
  trade_order: { key: ['id'], erased: 'kept' },
  denied_fold: { key: ['order_id'], erased: 'kept' },
  order_transition: { key: ['order_id', 'number'], erased: 'kept' },
  order_allocation: { key: ['order_id', 'number'], erased: 'kept' },
  order_dispatch: { key: ['order_id'], erased: 'kept' },
  fill: { key: ['id'], erased: 'kept' },
  fill_allocation: { key: ['fill_id', 'position_id'], erased: 'kept' },
  position: { key: ['id'], erased: 'kept' },
  paper_order: { key: ['id'], erased: 'kept' },
  paper_level: { key: ['token_id', 'side', 'price'], erased: 'deleted' },
  paper_fill: { key: ['id'], erased: 'kept' },
  venue_credential: {
    key: ['connection_id', 'version'],
    erased: 'deleted',
    without: ['wrapped_key', 'nonce', 'ciphertext', 'tag'],
  },
  venue_event: { key: ['connection_id', 'key'], erased: 'deleted' },
  venue_cursor: { key: ['connection_id'], erased: 'kept' },
  venue_cash: { key: ['connection_id', 'currency', 'shard'], erased: 'kept' },
  venue_difference: { key: ['id'], erased: { note: 'null' } },
  venue_connection: {
    key: ['id'],
    erased: { label: NAMELESS, fingerprint: 'null', key_hint: "''", checks: 'null' },
  },
  audit_event: { key: ['id'], erased: 'kept' },
};
