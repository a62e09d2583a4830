import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { client, type Outputs, readAgain, trpc } from '../../api/trpc.ts';
import { usdWhole } from '../../format/number.ts';
import { useSettings } from '../../settings/store.ts';
import { Curl, curl } from '../../ui/copy.tsx';
import { Panel } from '../../ui/panel.tsx';
import { priceWords, usePrices } from '../../ui/prices.tsx';
import { ProblemNotice } from '../../ui/problem.tsx';

type Blueprints = Outputs['console']['blueprints'];

/** For a new account: the way to a running strategy. Gone once one of its own runs, or when told to go. */
export function FirstSteps() {
  const keys = useQuery(trpc.agentKeys.list.queryOptions({}));
  const blueprints = useQuery(trpc.console.blueprints.queryOptions({}));
  const account = useQuery(trpc.console.account.queryOptions({}));
  const prices = usePrices();
  const { firstSteps, set } = useSettings();
  if (!keys.data || !blueprints.data || !firstSteps) return null;
  const paper = account.data?.equity;
  const own = blueprints.data.filter(({ isSample }) => !isSample);
  const hasDeployed = own.some(({ deploymentId }) => deploymentId !== null);
  if (hasDeployed) return null;
  const [draft] = own;
  return (
    <Panel
      title="First steps"
      actions={
        <Button variant="subtle" size="compact-sm" onClick={() => set({ firstSteps: false })}>
          Dismiss
        </Button>
      }
    >
      <div className="stack">
        <p className="plain">
          You have {paper === undefined ? '—' : usdWhole(paper)} in paper dollars to trade with.{' '}
          <Sample blueprints={blueprints.data} />
        </p>
        <div className="grid-3">
          <Step
            done={draft !== undefined}
            number={1}
            title="Choose a template"
            go={(props) => <Link to="/blueprints" search={{ do: 'new' }} {...props} />}
          >
            Pick one by its picture, and its market by name.
          </Step>
          <Step
            done={false}
            number={2}
            title="Deploy it"
            go={
              draft
                ? (props) => <Link to="/blueprints/$id" params={{ id: draft.id }} {...props} />
                : undefined
            }
          >
            With paper money at {priceWords(prices?.source)}, under your risk rules.
          </Step>
          <Step done={false} number={3} title="Watch it decide">
            Each step shows its value and what it did.
          </Step>
        </div>
        {keys.data.length === 0 ? (
          <details className="small dim">
            <summary>Later: scripts and integrations</summary>
            <div className="stack tight">
              <span>
                They use an API key; the console needs none.{' '}
                <Link to="/keys" search={{ do: 'new' }}>
                  Create an API key
                </Link>
              </span>
              <Curl command={curl('POST', '/api/blueprints', { name: 'My strategy' })} />
            </div>
          </details>
        ) : null}
      </div>
    </Panel>
  );
}

/** What runs already, or the offer of it. */
function Sample({ blueprints }: { blueprints: Blueprints }) {
  const start = useMutation({
    mutationFn: () => client.console.sample.mutate({}),
    onSettled: () => readAgain(),
  });
  const sample = blueprints.find(({ isSample }) => isSample);
  if (sample) {
    return (
      <>
        {sample.status === 'running' ? 'A small sample runs already: ' : 'There is a small sample: '}
        <Link to="/blueprints/$id" params={{ id: sample.id }}>
          {sample.status === 'running' ? 'watch it' : 'look at it'}
        </Link>
        .
      </>
    );
  }
  if (blueprints.length > 0) return null;
  return (
    <>
      <Button variant="default" loading={start.isPending} onClick={() => start.mutate()}>
        Run a small sample
      </Button>
      {start.error ? <ProblemNotice error={start.error} /> : null}
    </>
  );
}

type StepProps = {
  done: boolean;
  number: number;
  title: string;
  /** The link there, given the looks of a button; absent where it leads nowhere yet. */
  go?: ((props: { className: string; children: ReactNode }) => ReactNode) | undefined;
  children: ReactNode;
};

function Step({ done, number, title, go, children }: StepProps) {
  return (
    <div className="stack tight">
      <strong className="row">
        {done ? <Check size={16} className="up" aria-label="Done" /> : <span className="dim">{number}</span>}
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
