import { Link } from '@tanstack/react-router';
import { samePageIn } from '../api/mode.ts';
import { t } from '../language/language.ts';
import { Trans } from '../language/trans.tsx';

export function NotFound() {
  return (
    <main className="auth" id="main">
      <div className="stack narrow">
        <h1>{t('There is no such page')}</h1>
        <p className="dim">{t('The address may be mistyped, or what it named was deleted.')}</p>
        <Link to="/">{t('Go to the overview')}</Link>
      </div>
    </main>
  );
}

/** A live page where live trading is off and never was on. */
export const LiveIsOff = () => (
  <div className="page narrow">
    <h1>{t('Live trading is off')}</h1>
    <div className="notice warn" role="note">
      <span>
        <Trans
          message="This service trades no real money, and this account never did. An operator switches it on with {code} and starts the service again."
          values={{ code: <code>LIVE_TRADING=on</code> }}
        />
      </span>
      <a href={samePageIn('paper', location.pathname)}>{t('Back to paper')}</a>
    </div>
  </div>
);
