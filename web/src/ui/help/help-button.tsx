import type { ComponentProps } from 'react';
import { t } from '../../language/language.ts';

/** The question mark beside an explained term. */
export const HelpButton = ({ of, ...props }: { of: string } & ComponentProps<'button'>) => (
  <button type="button" className="help" aria-label={t('What “{of}” is', { of })} {...props}>
    ?
  </button>
);
