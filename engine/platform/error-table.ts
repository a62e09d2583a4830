/** Entry of an error code. `when` and `remedy` are for `docs/errors.md`, in a caller's words. */
type Entry = {
  /** The HTTP status of a refusal with this code. State conflicts are 403; 409, 412 and 422 need a header of the caller's. */
  status: ErrorStatus;
  /** The message, if it is always the same. */
  message?: string;
  when: string;
  remedy: string;
};

export type ErrorStatus = 400 | 401 | 403 | 404 | 409 | 412 | 422 | 429 | 500 | 503;

/** Every refusal of the service. Throwers, statuses, API descriptions and `docs/errors.md` are derived from it. */
export const ERRORS = {
  validation_failed: {
    status: 400,
    when: 'A value of the request is missing, unknown, out of range or in conflict with another.',
    remedy: 'Correct what `issues` points at; `path` is a JSON Pointer into the request.',
  },
  malformed_json: {
    status: 400,
    when: 'The body is not valid JSON in UTF-8.',
    remedy: 'Send JSON; the message names the position where it is known.',
  },
  payload_too_large: {
    status: 400,
    when: 'The body is larger than a request may be.',
    remedy: 'Send less; [limits.md](limits.md) says how much.',
  },
  unsupported_media_type: {
    status: 400,
    when: 'The body has another media type than JSON, or is compressed.',
    remedy: 'Send `Content-Type: application/json` and no `Content-Encoding`.',
  },
  cursor_invalid: {
    status: 400,
    message: 'This cursor is not one of ours for this list and these filters. Start again without `cursor`.',
    when: 'The cursor is of another list, account or filter, or made up.',
    remedy: 'Start again without `cursor`.',
  },
  idempotency_key_invalid: {
    status: 400,
    message: 'Idempotency-Key must be 1 to 255 printable ASCII characters without spaces; a UUID does well.',
    when: 'The `Idempotency-Key` is empty, too long, repeated or holds other characters.',
    remedy: 'Send one key of 1 to 255 printable ASCII characters.',
  },
  blueprint_invalid: {
    status: 400,
    when: 'The drawing cannot run.',
    remedy:
      'Correct what `issues` lists; `POST /api/blueprints/{id}/validate` tells the same without deploying.',
  },
  credentials_missing: {
    status: 401,
    message: 'Send an API key as "Authorization: Bearer <API_KEY>", or sign in.',
    when: 'The request has no credentials.',
    remedy: 'Send an API key or the cookie of a session.',
  },
  credentials_invalid: {
    status: 401,
    message: 'This API key is not valid: malformed, unknown, revoked or expired.',
    when: 'The key or session is malformed, unknown, revoked, expired or over.',
    remedy: 'Use another key, or sign in again.',
  },
  insufficient_scope: {
    status: 403,
    when: 'The key lacks the scope of the operation.',
    remedy: 'Use a key with the scope that the message names.',
  },
  session_required: {
    status: 403,
    message: 'Only a web session may do this; an API key cannot.',
    when: 'A key asks for what only a person may do.',
    remedy: 'Sign in and do it in a web session.',
  },
  account_suspended: {
    status: 403,
    message:
      'An operator has suspended the account: it can stop, cancel, sell and close, but not buy, deploy or create keys.',
    when: 'An operator has suspended the account, and the request would buy, deploy or create a key.',
    remedy: 'Ask the operator; the activity of the account has the reason. Stops, cancels and closes work.',
  },
  live_trading_off: {
    status: 403,
    message: 'Live trading is off: the operator has not set LIVE_TRADING.',
    when: 'The request would trade with real money, and the operator has not switched that on.',
    remedy: 'Trade on paper, or ask the operator.',
  },
  outside_envelope: {
    status: 403,
    when: 'The request exceeds the spending limits of the key: amounts, blueprints, or orders without approval.',
    remedy: 'Stay within what the message names, or do it in a web session.',
  },
  csrf_rejected: {
    status: 403,
    message:
      'A request that changes something and carries a session cookie needs an Origin header of this service.',
    when: 'A change by a session comes from a page of another origin, or without `Origin`.',
    remedy: 'Send it from a page of the service, or use a key.',
  },
  paper_run_missing: {
    status: 403,
    when: 'The blueprint is to be deployed with real money, and its graph has not run on paper for 24 hours without a pause or an error.',
    remedy:
      'Let it run on paper first, deploy it in the console and vouch for it there, or use a key whose spending limits have `allowsUntried`.',
  },
  blueprint_running: {
    status: 403,
    when: 'The blueprint is running or in error, and is to be edited, restored or deleted.',
    remedy: 'Stop it first.',
  },
  blueprint_holds_positions: {
    status: 403,
    when: 'The blueprint to be deleted holds a position.',
    remedy: 'Close its positions, or write off what cannot be sold.',
  },
  invalid_state: {
    status: 403,
    when: 'The resource is in a state that does not allow this; the message names it.',
    remedy: 'Read it again; do what the message says.',
  },
  intent_not_pending: {
    status: 403,
    when: 'The order to be approved or declined does not wait for approval any more.',
    remedy: 'Read the order; nothing is left to decide.',
  },
  intent_expired: {
    status: 403,
    when: 'The order waited for approval for too long.',
    remedy: 'None for this order; its strategy may raise another.',
  },
  price_moved: {
    status: 403,
    when: 'At approval the quote is outside the price band of the order.',
    remedy: 'Approve later, while it waits, or decline it.',
  },
  risk_rule_violated: {
    status: 403,
    when: 'A risk rule of the account forbids the order.',
    remedy: 'Read the receipt of the order; wait, order less, or change the rule.',
  },
  no_liquidity: {
    status: 403,
    when: 'The other side of the book is empty.',
    remedy: 'Try again later, or send a limit order.',
  },
  market_not_open: {
    status: 403,
    when: 'The market is paused, closed or settled.',
    remedy: 'Wait until it opens; a position that can no longer be sold can be written off.',
  },
  credentials_not_kept: {
    status: 403,
    message: 'This service keeps no credentials of venues: its operator has to set CREDENTIAL_KEYS first.',
    when: 'Credentials of a venue are sent, and the service has no key to seal them with.',
    remedy: 'Ask the operator to set `CREDENTIAL_KEYS`.',
  },
  mail_off: {
    status: 403,
    message: 'This service sends no e-mail: its operator has to set SMTP_URL first.',
    when: 'A channel for e-mail is added, and the service has no way to send any.',
    remedy: 'Ask the operator to set `SMTP_URL`, or take another kind of channel.',
  },
  password_required: {
    status: 403,
    message: 'The password is not right. Credentials of a venue are only taken together with your password.',
    when: 'A request that needs the password again has a wrong one.',
    remedy: 'Send the password you sign in with.',
  },
  quota_exceeded: {
    status: 403,
    when: 'The account has reached its limit of these.',
    remedy: 'Delete or revoke what is not needed.',
  },
  backtest_too_large: {
    status: 403,
    when: 'The backtest exceeds the size limit of a run.',
    remedy: 'Ask for less, as the message says: a shorter range, less detail.',
  },
  not_found: {
    status: 404,
    message: 'There is no such resource, or it belongs to another account.',
    when: 'The resource, market or instrument does not exist, or belongs to another account.',
    remedy: 'Check the id, and the account of the key.',
  },
  route_not_found: {
    status: 404,
    message: 'There is no such route. See /openapi.json for every method and path.',
    when: 'No operation has this method and path.',
    remedy: 'See `/openapi.json`; paths are exact.',
  },
  idempotency_key_in_use: {
    status: 409,
    message: 'The first request with this Idempotency-Key is still running. Ask again in a moment.',
    when: 'The first request with the `Idempotency-Key` is still running.',
    remedy: 'Send the same request again after `Retry-After`.',
  },
  idempotency_key_reused: {
    status: 422,
    message: 'This Idempotency-Key belongs to another request. Use a new key for a new request.',
    when: 'The `Idempotency-Key` was sent with another request within 24 hours.',
    remedy: 'Use a new key for a new request.',
  },
  idempotency_replay_unavailable: {
    status: 422,
    when: 'The first request succeeded, but its answer is not stored: it held a secret, or a graph that was deleted.',
    remedy: 'Do not repeat it; read the resource, or rotate the key.',
  },
  precondition_failed: {
    status: 412,
    when: '`If-Match` names another version than the one there is, or no version at all.',
    remedy: 'Read the resource again, decide again, send its new `ETag`.',
  },
  rate_limited: {
    status: 429,
    when: 'The key, account or address has made too many requests, or has too many under way.',
    remedy: 'Wait for `Retry-After`; [limits.md](limits.md) lists the limits.',
  },
  too_many_auth_failures: {
    status: 429,
    when: 'The address has sent too many wrong credentials.',
    remedy: 'Wait for `Retry-After`; valid keys continue to work.',
  },
  internal: {
    status: 500,
    message: 'Unexpected server error.',
    when: 'A fault of the service.',
    remedy: 'Report the `requestId`; repeat a change only with the `Idempotency-Key` it was sent with.',
  },
  database_unavailable: {
    status: 503,
    message: 'The database does not answer. Try again in a moment.',
    when: 'The database cannot be reached or written to.',
    remedy: 'Try again after `Retry-After`.',
  },
  account_moving: {
    status: 503,
    message: 'The account moves to another cell. Try again in a moment.',
    when: 'The operator moves the account to another cell, and nothing is decided meanwhile. Nothing was stored.',
    remedy: 'Try again after `Retry-After`; the same address, key and password hold afterwards.',
  },
  no_runner: {
    status: 503,
    message: 'No runner works at the moment, so the order would not be sent. Try again in a moment.',
    when: 'An order is to be sent, and no process that sends orders lives. Nothing was stored.',
    remedy: 'Try again after `Retry-After`; if it stays, ask the operator, who starts a runner.',
  },
  quote_unavailable: {
    status: 503,
    when: 'There is no quote young enough to decide by.',
    remedy: 'Try again after `Retry-After`.',
  },
  upstream_unavailable: {
    status: 503,
    when: 'A venue does not answer, or answers what cannot be read.',
    remedy: 'Try again after `Retry-After`.',
  },
  archived_unavailable: {
    status: 503,
    message: 'A part of this is in the archive, which does not answer. Try again in a moment.',
    when: 'Receipt and inputs of an order that ended long ago, or points of equity, history or quotes of that time, are in the archive. It does not answer, it is not set, or its file is damaged.',
    remedy:
      'Try again after `Retry-After`; if it stays, ask the operator, who checks the archive. Trading is not affected.',
  },
  overloaded: {
    status: 503,
    message: 'The service is busy. Try again in a moment.',
    when: 'The account, or the service, has more to do than it gets done in time.',
    remedy: 'Try again after `Retry-After`.',
  },
  shutting_down: {
    status: 503,
    message: 'The service is shutting down.',
    when: 'Readiness is asked of a process that stops.',
    remedy: 'Send requests to another process.',
  },
} as const satisfies Record<string, Entry>;

/** Restricts throwers to codes of the table. */
export type ErrorCode = keyof typeof ERRORS;

/** Codes whose message is in the table. */
export type StatedErrorCode = {
  [Code in ErrorCode]: (typeof ERRORS)[Code] extends { message: string } ? Code : never;
}[ErrorCode];

export const ERROR_CODES = Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]];

export const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(ERRORS, code);
