import { useRouterState } from '@tanstack/react-router';
import { samePageIn } from '../api/mode.ts';
import { pageMode } from '../api/page-mode.ts';
import { t } from '../language/language.ts';

const OTHER = pageMode === 'live' ? 'paper' : 'live';

/** The link to the same page of the other mode. It reloads, so that no page holds data of two modes. */
export function PaperLiveSwitch({ className }: { className: string }) {
  // Read again on every navigation.
  useRouterState({ select: (state) => state.location.pathname });
  return (
    <a className={className} href={samePageIn(OTHER, location.pathname)} data-switch-to={OTHER}>
      {OTHER === 'live' ? t('Go to live') : t('Go to paper')}
    </a>
  );
}
