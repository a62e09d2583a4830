import { useRouterState } from '@tanstack/react-router';
import { pageMode } from '../api/here.ts';
import { sameIn } from '../api/mode.ts';
import { t } from '../language/language.ts';

const OTHER = pageMode === 'live' ? 'paper' : 'live';

/** The way to the same page of the other mode. A load of its own, so that no page holds anything of two modes. */
export function ModeSwitch({ className }: { className: string }) {
  // Read again wherever the person goes.
  useRouterState({ select: (state) => state.location.pathname });
  return (
    <a className={className} href={sameIn(OTHER, location.pathname)} data-switch-to={OTHER}>
      {OTHER === 'live' ? t('Go to live') : t('Go to paper')}
    </a>
  );
}
