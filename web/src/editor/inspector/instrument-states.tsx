import { nodeValueWords } from '../../format/node-value-words.ts';
import { tokenName } from '../../format/token-name.ts';
import { t, translateReason } from '../../language/language.ts';
import { statusWords } from '../canvas/node-badge.ts';
import type { CopyState } from '../drawing/list-states.ts';

/** The state of a node for each instrument of its list. */
export const InstrumentStates = ({ copies }: { copies: readonly CopyState[] }) => (
  <section className="stack tight" aria-label={t('By instrument')}>
    <h3>{t('By instrument')}</h3>
    <dl className="tried">
      {copies.map(({ name, state: { value, status, reason, firedCount } }) => (
        <div key={name}>
          <dt>{tokenName(name)}</dt>
          <dd>
            {value === null ? statusWords(status) : nodeValueWords(value)}
            {firedCount > 0 ? <span className="dim small"> ×{firedCount}</span> : null}
            {reason ? <span className="dim small"> {translateReason(reason.message)}</span> : null}
          </dd>
        </div>
      ))}
    </dl>
  </section>
);
