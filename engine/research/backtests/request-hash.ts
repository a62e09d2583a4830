import type { InstrumentFact } from '../../trading/orders/terms/facts-by-time.ts';
import { canonicalJson, sha256Of } from './canonical.ts';
import type { PreparedBacktest } from './prepare.ts';

/** Raised whenever the same input gives other bytes: earlier results are then not reused. */
const ENGINE_VERSION = 3;

/** Hashes of the data of a run, by series, known before the data are read. */
export type DataHashes = Readonly<Record<string, string>>;

/** Hashes all inputs that determine the bytes of a result: equal hashes, equal results. */
export function requestHashOf(
  { request, visual, terms }: Pick<PreparedBacktest, 'request' | 'visual' | 'terms'>,
  facts: readonly InstrumentFact[],
  data: DataHashes,
): string {
  const { account_id: _account, mode: _mode, updated_at: _updated, ...rules } = terms.rules;
  const { settings } = terms;
  return sha256Of(
    canonicalJson({
      engine: ENGINE_VERSION,
      request,
      visual,
      rules,
      settings,
      facts: facts.map(withoutUnreadFields),
      data,
    }),
  );
}

/** Leaves out what no run reads: when a row was read, and its series, whose members are in the request. */
function withoutUnreadFields({ fromMs, instrument }: InstrumentFact) {
  const { updated_at: _updated, terms_at: _terms, series: _series, ...stated } = instrument;
  return { fromMs, stated };
}
