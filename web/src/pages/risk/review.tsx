import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { RiskRules, Rule } from '../../api/rows.ts';
import { queryClient, trpc } from '../../api/trpc.ts';
import { loosens, reviewWords } from '../../format/rule-words.ts';
import { ConfirmDialog } from '../../ui/confirm.tsx';
import { useRules } from '../../ui/use-rules.ts';

type Change = { rule: Rule; to: number };
type ReviewProps = { before: RiskRules; changes: readonly Change[]; onClose: () => void };

/** What changes, in which direction, and what it would stop now. Letting more happen takes one step more. */
export function ReviewDialog({ before, changes, onClose }: ReviewProps) {
  const words = useRules();
  const loosened = changes.filter(({ rule, to }) => loosens(rule, before[rule.name], to)).length;
  const loose = loosened > 0;
  const what = reviewWords(loosened, changes.length - loosened);
  const save = useMutation(
    trpc.riskRules.update.mutationOptions({
      onSuccess: () => {
        void queryClient.invalidateQueries(trpc.riskRules.pathFilter());
        void queryClient.invalidateQueries(trpc.audit.pathFilter());
        notifications.show({ message: 'Saved. It applies from the next decision on.' });
        onClose();
      },
    }),
  );
  return (
    <ConfirmDialog
      title={`${what}?`}
      action={what}
      danger={loose}
      typeToConfirm={loose ? 'loosen' : undefined}
      pending={save.isPending}
      error={save.error}
      onConfirm={() => save.mutate(Object.fromEntries(changes.map(({ rule, to }) => [rule.name, to])))}
      onClose={onClose}
    >
      <table className="rows">
        <thead>
          <tr>
            <th>Rule</th>
            <th className="num">Now</th>
            <th className="num">Then</th>
            <th>Effect</th>
          </tr>
        </thead>
        <tbody>
          {changes.map(({ rule, to }) => (
            <tr key={rule.name}>
              <td>{rule.title}</td>
              <td className="num">{words.value(rule.name, before[rule.name])}</td>
              <td className="num">{words.value(rule.name, to)}</td>
              <td>
                {loosens(rule, before[rule.name], to) ? <span className="warn">looser</span> : 'stricter'}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <Effects changes={changes} />
      <p className="plain dim">
        From the next decision on. What waits for approval or rests at a venue is not voided; an approval is
        checked again.
      </p>
    </ConfirmDialog>
  );
}

/** What the new limits would stop if they were in force now. */
function Effects({ changes }: { changes: readonly Change[] }) {
  const words = useRules();
  const usage = useQuery(trpc.riskRules.usage.queryOptions({}));
  const pending = useQuery(trpc.console.orders.queryOptions({ status: 'pending' }));
  const said = changes.flatMap(({ rule, to }) => {
    const line = usage.data?.lines.find((each) => each.rule === rule.name);
    if (line === undefined || rule.breach === 'wait' || rule.looser === 'lower') return [];
    if (line.used === null) {
      const over = pending.data?.filter(({ side, size }) => side === 'buy' && size > to).length ?? 0;
      return over > 0 ? [`${rule.title}: ${over} waiting buys would be over it.`] : [];
    }
    if (line.used < to) return [];
    return [
      `${rule.title}: ${words.value(rule.name, line.used)} in use, so new buys would be denied at once.`,
    ];
  });
  return (
    <div className={said.length > 0 ? 'notice warn' : 'notice'}>
      {said.length > 0
        ? said.map((sentence) => <div key={sentence}>{sentence}</div>)
        : 'Nothing in use now is over the new limits.'}
    </div>
  );
}
