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
