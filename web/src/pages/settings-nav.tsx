import { Link } from '@tanstack/react-router';
import { t } from '../language/language.ts';

/** The pages of settings: those stored in this browser, and the account. */
export const SettingsNav = ({ here }: { here: 'display' | 'account' }) => (
  <nav className="row tight" aria-label={t('Settings')}>
    <Link to="/settings" className="chip" aria-current={here === 'display' ? 'true' : undefined}>
      {t('This browser')}
    </Link>
    <Link to="/settings/account" className="chip" aria-current={here === 'account' ? 'true' : undefined}>
      {t('Your account')}
    </Link>
  </nav>
);
