import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { client, invalidate, type Outputs, trpc } from '../../api/trpc.ts';
import { usdWhole } from '../../format/number.ts';
import { t } from '../../language/language.ts';
import { Trans } from '../../language/trans.tsx';
import { useSettings } from '../../settings/store.ts';
import { Curl, curl } from '../../ui/copy.tsx';
import { Panel } from '../../ui/panel.tsx';
import { priceSourceWords, usePriceSource } from '../../ui/price-source.tsx';
import { ProblemNotice } from '../../ui/problem.tsx';

type Blueprints = Outputs['console']['blueprints'];

/** For a new account: the steps to a running strategy. Hidden once one of its own runs, or when dismissed. */
export function FirstSteps() {
  const keys = useQuery(trpc.agentKeys.list.queryOptions({}));
  const blueprints = useQuery(trpc.console.blueprints.queryOptions({}));
  const account = useQuery(trpc.console.account.queryOptions({}));
  const prices = usePriceSource();
  const { firstSteps, set } = useSettings();
  if (!keys.data || !blueprints.data || !firstSteps) return null;
  const paper = account.data?.equity;
  const own = blueprints.data.filter(({ isSample }) => !isSample);
  const hasDeployed = own.some(({ deploymentId }) => deploymentId !== null);
  if (hasDeployed) return null;
  const [draft] = own;
  return (
    <Panel
      title={t('Getting started')}
      actions={
        <Button variant="subtle" size="compact-sm" onClick={() => set({ firstSteps: false })}>
          {t('Dismiss')}
        </Button>
      }
    >
      <div className="stack">
        <p className="plain">
          <Trans
            message="You have {money} in paper dollars. {sample}"
            values={{
              money: paper === undefined ? '—' : usdWhole(paper),
              sample: <Sample blueprints={blueprints.data} />,
            }}
          />
        </p>
        <div className="grid-3">
          <Step
            done={draft !== undefined}
            number={1}
            title={t('Choose a template')}
            go={(props) => <Link to="/blueprints" search={{ do: 'new' }} {...props} />}
          >
            {t('Compare backtests.')}
          </Step>
          <Step
            done={false}
            number={2}
            title={t('Deploy it')}
            go={
              draft
                ? (props) => <Link to="/blueprints/$id" params={{ id: draft.id }} {...props} />
                : undefined
            }
          >
            {t('At {source}, under your risk rules.', {
              source: priceSourceWords(prices?.source),
            })}
          </Step>
          <Step done={false} number={3} title={t('Watch it decide')}>
            {t('Each node shows its value.')}
          </Step>
        </div>
        {keys.data.length === 0 ? (
          <details className="small dim">
            <summary>{t('Later: scripts and integrations')}</summary>
            <div className="stack tight">
              <span>
                <Trans
                  message="They use an API key; the console needs none. <link>Create an API key</link>"
                  tags={{ link: <Link to="/keys" search={{ do: 'new' }} /> }}
                />
              </span>
              <Curl command={curl('POST', '/api/blueprints', { name: t('My strategy') })} />
            </div>
          </details>
        ) : null}
      </div>
    </Panel>
  );
}

/** The running sample, or the offer of it. */
function Sample({ blueprints }: { blueprints: Blueprints }) {
  const start = useMutation({
    mutationFn: () => client.console.sample.mutate({}),
    onSettled: () => invalidate(),
  });
  const sample = blueprints.find(({ isSample }) => isSample);
  if (sample) {
    return sample.status === 'running' ? (
      <Trans
        message="A small sample runs already: <link>watch it</link>."
        tags={{ link: <Link to="/blueprints/$id" params={{ id: sample.id }} /> }}
      />
    ) : (
      <Trans
        message="There is a small sample: <link>open it</link>."
        tags={{ link: <Link to="/blueprints/$id" params={{ id: sample.id }} /> }}
      />
    );
  }
  if (blueprints.length > 0) return null;
  return (
    <>
      <Button variant="default" loading={start.isPending} onClick={() => start.mutate()}>
        {t('Run a sample')}
      </Button>
      {start.error ? <ProblemNotice error={start.error} /> : null}
    </>
  );
}

type StepProps = {
  done: boolean;
  number: number;
  title: string;
  /** The link to the step, rendered as a button; absent while there is no target. */
  go?: ((props: { className: string; children: ReactNode }) => ReactNode) | undefined;
  children: ReactNode;
};

function Step({ done, number, title, go, children }: StepProps) {
  return (
    <div className="stack tight">
      <strong className="row">
        {done ? (
          <Check size={16} className="up" aria-label={t('Done')} />
        ) : (
          <span className="dim">{number}</span>
        )}
        {title}
      </strong>
      <span className="dim small">{children}</span>
      {done || !go ? null : (
        <div>
          <Button renderRoot={go}>{title}</Button>
        </div>
      )}
    </div>
  );
}
