import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { samePageIn } from '../api/mode.ts';
import { t } from '../language/language.ts';
import { Trans } from '../language/trans.tsx';
import { PAGES } from './nav.tsx';

/** Pages whose parts are named in addresses. */
const NEAR: ReadonlySet<string> = new Set(['/blueprints', '/orders', '/portfolio', '/markets', '/backtests']);

export function NotFound() {
  return (
    <main className="auth" id="main">
      <div className="panel auth-card">
        <div className="row">
          <img src="/icon.svg" alt="" width={28} height={28} />
          <h1>{t('There is no such page')}</h1>
        </div>
        <code className="clip">{location.pathname}</code>
        <p className="plain dim">{t('The address may be mistyped, or what it named was deleted.')}</p>
        <Button renderRoot={(props) => <Link to="/" {...props} />}>{t('Go to the overview')}</Button>
        <nav className="row" aria-label={t('Pages')}>
          {PAGES.filter(({ to }) => NEAR.has(to)).map(({ to, title }) => (
            <Link key={to} to={to}>
              {t(title)}
            </Link>
          ))}
        </nav>
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
