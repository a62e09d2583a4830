import { Button } from '@mantine/core';
import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { t } from '../../language/language.ts';
import { useLive } from '../../live/store.ts';

const RETRY_MS = 3_000;

/**
 * A component whose code loads when it is first shown. A failed load is retried and affects nothing else: the rest of the page
 * stays as it is. `failing` shows a notice in the component's place.
 */
export function onDemand<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  waiting: (props: Props) => ReactNode = () => null,
  failing: (notice: ReactNode, props: Props) => ReactNode = (notice) => notice,
) {
  let loaded: ComponentType<Props> | null = null;
  const fetched = async () => {
    loaded ??= await load();
    return loaded;
  };
  function Part(props: Props) {
    const [Ready, setReady] = useState(() => loaded);
    const [failed, setFailed] = useState(false);
    useEffect(() => {
      if (Ready) return;
      let timer: ReturnType<typeof setTimeout> | undefined;
      let isOver = false;
      const attempt = async () => {
        try {
          const part = await fetched();
          if (!isOver) setReady(() => part);
        } catch {
          if (isOver) return;
          setFailed(true);
          timer = setTimeout(() => void attempt(), RETRY_MS);
        }
      };
      void attempt();
      return () => {
        isOver = true;
        clearTimeout(timer);
      };
    }, [Ready]);
    if (Ready) return <Ready {...props} />;
    return failed ? failing(<NeedsConnection />, props) : waiting(props);
  }
  return Object.assign(Part, { preload: () => fetched().then(nothing, nothing) });
}

const nothing = () => {};

/** A part that fails to load while the service responds is from an older version of the console. */
function NeedsConnection() {
  // Before the stream begins, only a failed part says that something is wrong: a reload helps if it is old.
  const isLost = useLive(({ connection }) => connection !== 'live' && connection !== 'connecting');
  return (
    <div className="page">
      <div className="notice warn" role="alert" data-unreachable>
        {isLost ? (
          t('This page needs the connection, which is lost. It opens automatically once the service is back.')
        ) : (
          <div className="row apart">
            {t('This part could not be loaded; the console may have been updated meanwhile.')}
            <Button variant="default" onClick={() => location.reload()}>
              {t('Reload the page')}
            </Button>
          </div>
        )}
      </div>
    </div>
  );
}
