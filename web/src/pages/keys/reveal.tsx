import type { ComponentProps } from 'react';
import { t } from '../../language/language.ts';
import { Curl, curl } from '../../ui/copy.tsx';
import { LeaveWithoutSecret, RevealSecret } from '../../ui/secret.tsx';

export const LeaveWithoutKey = ({ isOnlyHere }: { isOnlyHere: boolean }) => (
  <LeaveWithoutSecret isOnlyHere={isOnlyHere} what={t('key')}>
    {t('It was made and works, but it is not shown again. Store it first, or make another one later.')}
  </LeaveWithoutSecret>
);

type Props = Omit<ComponentProps<typeof RevealSecret>, 'what' | 'why' | 'children'>;

/** Shows a key, for the only time. */
export const Reveal = (props: Props) => (
  <RevealSecret
    {...props}
    what={t('key')}
    why={t(
      'This is the only time the key is shown. Only its hash is kept; a lost key is replaced, not found again.',
    )}
  >
    <span className="small dim">{t('Try it:')}</span>
    <Curl command={curl('GET', '/api/portfolio', undefined, props.secret)} />
  </RevealSecret>
);
