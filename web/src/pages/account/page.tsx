import { useQuery } from '@tanstack/react-query';
import { pageMode } from '../../api/page-mode.ts';
import { sessionQuery } from '../../api/session.ts';
import { t } from '../../language/language.ts';
import { PageHead } from '../../ui/panel.tsx';
import { SettingsNav } from '../settings-nav.tsx';
import { DeleteAccountPanel } from './delete-account.tsx';
import { PaperResetPanel } from './paper-reset.tsx';
import { PasskeysPanel } from './passkeys.tsx';
import { PasswordPanel } from './password.tsx';
import { ProfilePanel } from './profile.tsx';
import { SessionsPanel } from './sessions.tsx';
import { TwoFactorPanel } from './two-factor.tsx';

/** The user's name, ways to sign in, and the deletion of the account. */
export function AccountPage() {
  const user = useQuery(sessionQuery).data;
  if (!user) return null;
  return (
    <div className="page narrow">
      <PageHead title={t('Your account')}>
        <SettingsNav />
      </PageHead>
      <ProfilePanel user={user} />
      <PasswordPanel />
      <TwoFactorPanel user={user} />
      <PasskeysPanel />
      <SessionsPanel />
      {pageMode === 'paper' ? <PaperResetPanel /> : null}
      <DeleteAccountPanel user={user} />
    </div>
  );
}
