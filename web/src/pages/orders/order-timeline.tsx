import type { Outputs } from '../../api/trpc.ts';
import { elapsed, exactTime } from '../../format/exact-time.ts';
import { amount, usd } from '../../format/number.ts';
import { priceAt, venueTitle } from '../../format/trading/venue.ts';
import { t } from '../../language/language.ts';
import { Trans } from '../../language/trans.tsx';
import { useAuditActors } from '../../ui/audit-subjects.tsx';
import { orderStatusWords } from '../../ui/status.tsx';
import { Time, Until } from '../../ui/time.tsx';
import { TranslatedReason } from '../../ui/translated-reason.tsx';
import { useRuleCatalogue } from '../../ui/use-rule-catalogue.ts';

type Order = Outputs['console']['order'];
type Step = Order['timeline'][number];

/** The service's own steps need no name. */
const SERVICE = 'system';

/** Raised, approved, sent, filled: each step with its time, and how long after the one before. */
export function OrderTimeline({ order }: { order: Order }) {
  const actorOf = useAuditActors();
  const { timeline, status, expiresAt } = order;
  return (
    <ol className="timeline">
      {timeline.map((step, index) => (
        <li key={`${step.status}${step.at}`}>
          <strong>{titleOf(step, order)}</strong> <Time at={step.at} write={exactTime} />{' '}
          <span className="dim">
            {sinceWords(timeline[index - 1], step)}
            {step.actor === SERVICE ? null : ` ${t('by {actor}', { actor: actorOf(step.actor) })}`}
          </span>
          <div className="dim small">
            {step.from === null ? <RulesInWords order={order} /> : null}
            {step.reason ? <TranslatedReason of={step.reason} /> : null}
            {step === timeline.findLast(isFill) ? filledWords(order) : null}
          </div>
        </li>
      ))}
      {status === 'pending' && expiresAt ? (
        <li className="ahead dim">
          <Trans message="Your decision; it expires {age}" values={{ age: <Until at={expiresAt} /> }} />
        </li>
      ) : null}
    </ol>
  );
}

const isFill = ({ status }: Step): boolean => status === 'filled' || status === 'partially_filled';

function titleOf({ status, from }: Step, { venue }: Order): string {
  if (from === null) return t('Raised');
  if (status === 'queued' && from === 'pending') return t('Approved');
  return status === 'submitted'
    ? t('Sent to {venue}', { venue: venueTitle(venue) })
    : orderStatusWords(status);
}

const sinceWords = (before: Step | undefined, { at }: Step): string =>
  before ? `+${elapsed(Date.parse(at) - Date.parse(before.at))}` : '';

const filledWords = ({ filledAmount, averagePrice, fees, venue }: Order): string =>
  t('{filledAmount} at {averagePrice}, fees {fees}', {
    filledAmount: amount(filledAmount),
    averagePrice: priceAt(venue, averagePrice),
    fees: usd(fees),
  });

/** The verdict of the rules when the order was raised; a rule that stopped it with its figures. */
function RulesInWords({ order: { receipt } }: { order: Order }) {
  const words = useRuleCatalogue();
  const stopping = receipt.lines.find(({ verdict }) => verdict === 'deny' || verdict === 'wait');
  if (stopping)
    return `${stopping.verdict === 'deny' ? t('Denied by a rule:') : t('Awaiting approval:')} ${words.title(stopping.rule)} ${words.line(stopping)}. `;
  return t('{count, plural, one {# rule passes} other {All # rules pass}}', {
    count: receipt.lines.filter(({ verdict }) => verdict === 'pass').length,
  });
}
