import { serviceMs } from '../api/clock.ts';
import { clockTime } from '../format/time.ts';
import { t } from '../language/language.ts';
import type { LiveState } from '../live/live-connection.ts';
import { useLive } from '../live/store.ts';
import { useSettings } from '../settings/store.ts';

const LOOK: Record<LiveState, { dot: string; chip: string }> = {
  connecting: { dot: '', chip: '' },
  live: { dot: 'ok', chip: '' },
  reconnecting: { dot: 'warn', chip: 'warn' },
  stale: { dot: 'bad', chip: 'bad' },
  'signed-out': { dot: 'bad', chip: 'bad' },
};

/** Whether the shown data is current. */
export function LiveDataStatus() {
  const { connection, attempts, lastSeenAt } = useLive();
  const { dot, chip } = LOOK[connection];
  return (
    <span className={`chip ${chip}`} role="status" data-connection={connection}>
      <span className={`dot ${dot}`} />
      <Words connection={connection} attempts={attempts} lastSeenAt={lastSeenAt} />
    </span>
  );
}

function Words({
  connection,
  attempts,
  lastSeenAt,
}: {
  connection: LiveState;
  attempts: number;
  lastSeenAt: number | null;
}) {
  const zone = useSettings((settings) => settings.zone);
  switch (connection) {
    case 'connecting':
      return t('Connecting');
    case 'live':
      return t('Connected');
    case 'reconnecting':
      return t('Reconnecting ({attempts})', { attempts });
    case 'stale':
      return (
        <>
          {t('Stale')}
          {lastSeenAt === null ? null : (
            <span className="hide-small">
              {t('since {time}', { time: clockTime(new Date(serviceMs(lastSeenAt)), zone) })}
            </span>
          )}
        </>
      );
    case 'signed-out':
      return t('Signed out');
  }
}
