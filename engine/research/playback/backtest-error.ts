import type { BacktestFailure } from './result.ts';

/** A run that cannot produce a result. */
export class BacktestError extends Error {
  override readonly name = 'BacktestError';
  readonly code: BacktestFailure['code'];

  constructor(code: BacktestFailure['code'], message: string) {
    super(message);
    this.code = code;
  }
}
