import { Link } from '@tanstack/react-router';
import { Lock } from 'lucide-react';
import { serviceNow } from '../../api/clock.ts';
import type { Outputs } from '../../api/trpc.ts';
import { relativeTime } from '../../format/time.ts';
import { locksIn } from '../../format/trading/lock.ts';
import { t } from '../../language/language.ts';
import { Trans } from '../../language/trans.tsx';
import { Time } from '../time.tsx';
import { useRuleCatalogue } from '../use-rule-catalogue.ts';

type Account = Outputs['console']['account'];
type Suspension = NonNullable<Account['suspension']>;

/** While an operator, a day's loss or a drawdown locks buys: what is locked, until when, what still works, and what to do. */
export function LockNotices({ limits, suspension }: Pick<Account, 'limits' | 'suspension'>) {
  const words = useRuleCatalogue();
  const locks = locksIn(limits).map(({ line: { rule, limit }, since, endsAtMidnight }) => (
    <div key={rule} className="notice bad" role="alert" data-lock={rule}>
      <strong>
        <Lock size={16} className="inline-icon" aria-hidden />{' '}
        <Trans
          message="Buys are locked since {time}: {rule} reached its limit of {limit}."
          values={{ time: <Time at={since} />, rule: words.title(rule), limit: words.value(rule, limit) }}
        />
      </strong>
      <span className="dim">
        {endsAtMidnight
          ? t('The lock ends at 00:00 UTC, {when}, or once you change the rule.', {
              when: relativeTime(nextMidnight(), serviceNow()),
            })
          : t('The lock does not end automatically: it lasts until you change the rule.')}{' '}
        {t('Sells, closes and exits still work. Strategies keep running; each of their buys is denied.')}
      </span>
      <span className="row">
        <Link to="/portfolio">{t('Portfolio')}</Link>
        <Link to="/orders" search={{ status: 'denied' }}>
          {t('Denied orders')}
        </Link>
        <Link to="/risk">{t('Change the rule')}</Link>
      </span>
    </div>
  ));
  return (
    <>
      {suspension ? <SuspendedNotice suspension={suspension} /> : null}
      {locks}
    </>
  );
}

const SuspendedNotice = ({ suspension: { since, reason } }: { suspension: Suspension }) => (
  <div className="notice bad" role="alert">
    <strong>
      <Lock size={16} className="inline-icon" aria-hidden />{' '}
      <Trans
        message="Suspended by an operator since {time}: {reason}"
        values={{ time: <Time at={since} />, reason }}
      />
    </strong>
    <span className="dim">
      {t('It buys nothing, deploys nothing and creates no key. Sells, closes, stops and exits still work.')}
    </span>
  </div>
);

const nextMidnight = (): Date => new Date(serviceNow().setUTCHours(24, 0, 0, 0));
