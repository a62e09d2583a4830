import { nodeValueWords } from '../../format/node-value-words.ts';
import { tokenName } from '../../format/token-name.ts';
import { t, translateReason } from '../../language/language.ts';
import { statusWords } from '../canvas/node-badge.ts';
import type { CopyState } from '../drawing/list-states.ts';

/** The states behind one card: of a node for each instrument of its list, or of the nodes of a module. */
export const InstrumentStates = ({
  copies,
  isOfModule,
}: {
  copies: readonly CopyState[];
  isOfModule: boolean;
}) => (
  <section className="stack tight" aria-label={isOfModule ? t('By node') : t('By instrument')}>
    <h3>{isOfModule ? t('By node') : t('By instrument')}</h3>
    <dl className="tried">
      {copies.map(({ name, state: { value, status, reason, firedCount } }) => (
        <div key={name}>
          <dt>{isOfModule ? name : tokenName(name)}</dt>
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
