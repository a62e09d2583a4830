import type { InstrumentFact } from '../playback/input.ts';
import { canonicalJson, sha256Of } from './canonical.ts';
import type { PreparedBacktest } from './prepare.ts';

/** Raised whenever the same input comes to other bytes: results of before are not taken for those of now. */
const ENGINE_VERSION = 2;

/** What is known of the data before they are read: what names their bytes, by series. */
export type DataHashes = Readonly<Record<string, string>>;

/** Names all that decides the bytes of a result: equal hashes, equal results. */
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
      facts: facts.map(withoutLook),
      data,
    }),
  );
}

/** When a row was looked at says nothing of the instrument. */
function withoutLook({ fromMs, instrument }: InstrumentFact) {
  const { updated_at: _updated, terms_at: _terms, ...stated } = instrument;
  return { fromMs, stated };
}
