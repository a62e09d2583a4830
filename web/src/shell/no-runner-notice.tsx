import { useQuery } from '@tanstack/react-query';
import { trpc } from '../api/trpc.ts';
import { t } from '../language/language.ts';

/** Says that no runner is active: the shown data is current, and does not change. */
export function NoRunnerNotice() {
  const { data } = useQuery(trpc.system.ready.queryOptions({}));
  if (!data?.warnings?.includes('no_runner')) return null;
  return (
    <div className="notice warn" role="alert" data-no-runner>
      {t(
        'No runner works at the moment: strategies stand still, exits guard nothing, and no order is sent. Your operator has to start one.',
      )}
    </div>
  );
}
