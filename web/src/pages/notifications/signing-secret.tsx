import type { ComponentProps, ReactNode } from 'react';
import { t } from '../../language/language.ts';
import { Trans } from '../../language/trans.tsx';
import { LeaveWithoutSecret, RevealSecret } from '../../ui/secret.tsx';

export const LeaveWithoutSigningSecret = ({ isOnlyHere }: { isOnlyHere: boolean }) => (
  <LeaveWithoutSecret isOnlyHere={isOnlyHere} what={t('secret')}>
    {t(
      'Notifications are signed with it, but it is not shown again. Store it first, or ask for a new one later.',
    )}
  </LeaveWithoutSecret>
);

type Props = Omit<ComponentProps<typeof RevealSecret>, 'what' | 'why' | 'children'>;

/** Shows the secret of a webhook, for the only time. */
export const SigningSecret = (props: Props) => (
  <RevealSecret
    {...props}
    what={t('secret')}
    why={t(
      'This is the only time the secret is shown. By it your program tells that a notification comes from here; a lost one is replaced, not found again.',
    )}
  >
    <span className="small dim">
      <Trans
        message="Signatures are those of Standard Webhooks: how they are <link>verified in TypeScript, Python and a shell</link>."
        tags={{ link: <GuideLink /> }}
      />
    </span>
  </RevealSecret>
);

const GuideLink = ({ children }: { children?: ReactNode }) => (
  <a href="/docs/guides/notifications" target="_blank" rel="noreferrer">
    {children}
  </a>
);
