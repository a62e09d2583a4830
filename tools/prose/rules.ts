/**
 * The rules of `docs/style.md` as data. Each word or name has the better one beside it, which the check prints.
 */

/** Words of no field, and what to write instead. Matched whole, whatever their case. */
export const WORDS: Readonly<Record<string, string>> = {
  somebody: 'the role: caller, operator, owner, reviewer',
  anybody: 'the role: caller, operator, owner, reviewer',
  nobody: '"no caller", "no process"',
  whoever: 'the role: caller, operator, owner, reviewer',
  told: 'reported, notified, stated, shown',
  anew: 'again',
  besides: 'also, in addition to',
  'so many': 'the number, or "up to n"',
  'by itself': 'alone, automatically',
  'no more': 'no longer',
  'is had': 'is available',
  'goes on': 'continues',
};

/** First words that no comment has: the first word is a verb or the thing's name. */
export const FIRST_WORDS = ['What', 'Who', 'Whoever', 'Of', 'That'];

export const SENTENCE_WORDS_MAX = 20;

/** Fields that databases, venues and callers already read, by the files that store or send them. Elsewhere their names are refused. */
export const FIELDS: Readonly<Record<string, readonly string[]>> = {
  /** Of an order, a preview and their audit rows. */
  worstFee: [
    'db/entities/order.ts',
    'engine/ledger/orders/decisions.ts',
    'engine/trading/orders/execution/fee-raised.ts',
    'engine/trading/orders/lifecycle/plan-waiting-sell-release.ts',
    'engine/trading/orders/read/order-fields.ts',
    'engine/trading/orders/read/read.ts',
    'engine/usecases/risk-rules/preview.ts',
    'routers/console/strategies/try-step.ts',
    'routers/orders/detail.ts',
    'routers/risk-rules/preview.ts',
    'tests/engine/ledger/decisions.test.ts',
    'tests/engine/trading/orders/order-fields.test.ts',
    'tests/engine/trading/orders/plan-waiting-sell-release.test.ts',
    'tests/orders/preview.test.ts',
    'tests/orders/propose.test.ts',
    'tests/orders/raised-fee.test.ts',
    'web/src/editor/trial/try-panel.tsx',
    'web/src/pages/orders/approve-dialog.tsx',
    'web/src/pages/markets/ticket/order-ticket.tsx',
    'web/src/pages/markets/ticket/receipt.tsx',
  ],
  /** Column of `paper_level`. */
  shown: [
    'db/entities/paper.ts',
    'engine/trading/orders/paper/store.ts',
    'tests/support/two-accounts-rows.ts',
  ],
  /** Of a stored receipt. */
  passage: [
    'engine/ledger/orders/decisions.ts',
    'engine/risk/receipt.ts',
    'tests/engine/risk/receipt.test.ts',
  ],
  /** Path of a procedure. */
  entrance: ['routers/console/index.ts', 'web/src/pages/reset-password.tsx', 'web/src/pages/sign-in.tsx'],
  /** Of the answer to cancel-all, and of a stored order request of Binance. */
  asked: [
    'routers/venue-connections/cancel-everywhere.ts',
    'tests/api/venue-connections.test.ts',
    'tests/venues/binance-answers.test.ts',
    'tests/venues/support/binance-trading.ts',
    'venues/binance/trading/answer.ts',
    'venues/binance/trading/broker.ts',
    'venues/binance/trading/request.ts',
  ],
};

/** Names of no field. Matched as whole identifiers. */
export const NAMES: Readonly<Record<string, string>> = {
  told: 'report, payload or notify',
  Told: 'Report or Payload',
  asked: 'request or input',
  Asked: 'Request or Input',
  readBasis: 'readRiskSnapshot',
  Looked: 'Checked or Polled',
  lookAt: 'poll, check or reconcile',
  shown: 'visible',
  Shown: 'MarketSnapshot',
  touch: 'topOfBook',
  isTouchKnown: 'isTopOfBookKnown',
  SentWay: 'Destination',
  isWayOut: 'isExit',
  judge: 'evaluate',
  judged: 'evaluated or RuleResult',
  judgeAgain: 'recheck',
  SecondLook: 'Recheck',
  isBrake: 'isUrgent',
  worstFee: 'maxFee',
  Standing: 'AccountState',
  passage: 'route',
  closure: 'routeBlock',
  MemoryDesk: 'SimulatedAccount',
  departure: 'submission',
  heardAt: 'lastSeenAt',
  nudge: 'wake',
  Complaints: 'ParseErrorLog',
  purse: 'venueBalance',
  entrance: 'signInOptions',
  agenda: 'EventQueue',
  patienceMs: 'graceMs',
  Letter: 'HttpRequest',
  Talk: 'StreamProtocol',
  Turns: 'RateLimiter',
};
