/** All reason codes; the position in this list is part of `Evaluation.signature`. */
export const REASON_CODES = [
  // unknown values
  'no_data',
  'stale',
  'market_closed',
  'no_quote',
  'thin_book',
  'warming_up',
  'catching_up',
  'not_a_number',
  'out_of_range',
  'no_position',
  'no_account_data',
  'failed',
  // conditions and controls
  'holding',
  'cooldown',
  'window_full',
  'too_late',
  // guards
  'spread_too_wide',
  'depth_too_thin',
  'position_too_large',
  // actions
  'true_at_deploy',
  'order_live',
  'denied',
  'conflict',
  'halted',
  'below_minimum',
  'nothing_to_sell',
  'price_out_of_range',
  'unknown_instrument',
  'minute_limit',
  'backing_off',
  'take_profit',
  'stop_loss',
  'trailing_stop',
  'max_hold',
  'before_close',
  'triggered',
  // the graph
  'switched_off',
  // quotes
  'canceling',
  'amount_filled',
  'other_filled',
  // baskets
  'other_leg',
  'basket_complete',
  'undone',
  'bid_below_floor',
  'ask_above_ceiling',
  'undo_failed',
] as const;
export type ReasonCode = (typeof REASON_CODES)[number];
