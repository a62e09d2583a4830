import { useMutation, useQuery } from '@tanstack/react-query';
import type { RiskRules, Rule } from '../../api/row-types.ts';
import { trpc } from '../../api/trpc.ts';
import { isLoosening } from '../../format/rule-words.ts';
import { t } from '../../language/language.ts';
import { useRuleCatalogue } from '../../ui/use-rule-catalogue.ts';
import { LimitChangesDialog, notifyRulesSaved } from './limit-changes-dialog.tsx';

type RuleChange = { rule: Rule; to: number };
type RuleChangesProps = { before: RiskRules; changes: readonly RuleChange[]; onClose: () => void };

/** The changes, their direction, and the orders they would stop now. */
export function RuleChangesDialog({ before, changes, onClose }: RuleChangesProps) {
  const words = useRuleCatalogue();
  const save = useMutation(
    trpc.riskRules.update.mutationOptions({
      onSuccess: () => {
        notifyRulesSaved();
        onClose();
      },
    }),
  );
  return (
    <LimitChangesDialog
      lines={changes.map(({ rule, to }) => ({
        name: rule.name,
        title: rule.title,
        before: words.value(rule.name, before[rule.name]),
        after: words.value(rule.name, to),
        isLooser: isLoosening(rule, before[rule.name], to),
      }))}
      pending={save.isPending}
      error={save.error}
      onSave={() => save.mutate(Object.fromEntries(changes.map(({ rule, to }) => [rule.name, to])))}
      onClose={onClose}
    >
      <Effects changes={changes} />
      <p className="plain dim">
        {t(
          'From the next decision on. What waits for approval or rests at a venue is not voided; an approval is checked again.',
        )}
      </p>
    </LimitChangesDialog>
  );
}

/** The effect of the new limits if they were in force now. */
function Effects({ changes }: { changes: readonly RuleChange[] }) {
  const words = useRuleCatalogue();
  const usage = useQuery(trpc.riskRules.usage.queryOptions({}));
  const pending = useQuery(trpc.console.orders.queryOptions({ status: 'pending' }));
  const said = changes.flatMap(({ rule, to }) => {
    const line = usage.data?.lines.find((each) => each.rule === rule.name);
    if (line === undefined || rule.breach === 'wait' || rule.looser === 'lower') return [];
    if (line.used === null) {
      const over = pending.data?.filter(({ side, size }) => side === 'buy' && size > to).length ?? 0;
      return over > 0
        ? [t('{title}: {over} waiting buys would be over it.', { title: rule.title, over })]
        : [];
    }
    if (line.used < to) return [];
    return [
      t('{title}: {name} in use, so new buys would be denied at once.', {
        title: rule.title,
        name: words.value(rule.name, line.used),
      }),
    ];
  });
  return (
    <div className={said.length > 0 ? 'notice warn' : 'notice'}>
      {said.length > 0
        ? said.map((sentence) => <div key={sentence}>{sentence}</div>)
        : t('Nothing in use now is over the new limits.')}
    </div>
  );
}
