import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { Play } from 'lucide-react';
import { useContext } from 'react';
import { readProblem } from '../../api/problem.ts';
import { client } from '../../api/trpc.ts';
import { t } from '../../language/language.ts';
import { Trans } from '../../language/trans.tsx';
import { Time } from '../../ui/time.tsx';
import { BlueprintIdContext, CatalogueContext } from '../context.ts';
import { writeGraph } from '../drawing/json.ts';
import { wholeGraphOf } from '../drawing/modules/open.ts';
import { useEditor } from '../store.ts';
import { showTriedValues } from './tried-values.ts';

const warn = (message: string) => notifications.show({ color: 'yellow', message });

/** Evaluates the graph once on live data, as it is on screen, and shows each value on its node. Nothing is ordered. */
export function TryGraphButton() {
  const id = useContext(BlueprintIdContext);
  const catalogue = useContext(CatalogueContext);
  const isEmpty = useEditor((editor) => editor.nodes.length === 0);
  const trial = useMutation({
    mutationFn: async () => {
      const before = useEditor.getState();
      const visual = writeGraph(wholeGraphOf(before));
      const { issues, nodes } = await client.console.tryStep.mutate({ id, visual });
      showTriedValues(nodes, before, { catalogue, trail: before.trail });
      return issues;
    },
    onSuccess: ([issue]) => issue && warn(issue.message),
    onError: (error) => warn(readProblem(error).message),
  });
  return (
    <Button
      variant="default"
      leftSection={<Play size={14} aria-hidden />}
      title={t('Show the value of each node on live data. No order is sent.')}
      disabled={isEmpty}
      aria-busy={trial.isPending}
      onClick={() => {
        if (!trial.isPending) trial.mutate();
      }}
    >
      {t('Try')}
    </Button>
  );
}

/** The instant of the values on the nodes of a draft. */
export function TriedAt() {
  const at = useEditor((editor) => editor.statesAt);
  return at ? (
    <p className="tried-at small" role="status">
      <Trans
        message="As if deployed at {time}. No order was sent."
        values={{ time: <Time at={at.toISOString()} /> }}
      />
    </p>
  ) : null;
}
