import { Link } from '@tanstack/react-router';
import { t } from '../language/language.ts';

const HERE_ALONE = { exact: true };

/** The pages of settings: those stored in this browser, and the account. The link to the open one is marked. */
export const SettingsNav = () => (
  <nav className="row tight" aria-label={t('Settings')}>
    <Link to="/settings" className="chip large" activeOptions={HERE_ALONE}>
      {t('This browser')}
    </Link>
    <Link to="/settings/account" className="chip large" activeOptions={HERE_ALONE}>
      {t('Your account')}
    </Link>
  </nav>
);
