import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { trpc } from '../../api/trpc.ts';
import { modeWords } from '../../format/mode.ts';
import { usdWhole } from '../../format/number.ts';
import { useSettings } from '../../settings/store.ts';
import { Curl, curl } from '../../ui/copy.tsx';
import { Panel } from '../../ui/panel.tsx';
import { priceWords, useMode, usePrices } from '../../ui/prices.tsx';

/** For a new account: the way to a running strategy, each step also as a command. Gone once it runs, or when told to go. */
export function FirstSteps() {
  const keys = useQuery(trpc.agentKeys.list.queryOptions({}));
  const blueprints = useQuery(trpc.console.blueprints.queryOptions({}));
  const account = useQuery(trpc.console.account.queryOptions({}));
  const prices = usePrices();
  const mode = useMode();
  const { firstSteps, set } = useSettings();
  if (!keys.data || !blueprints.data || !mode || !firstSteps) return null;
  const { phrase, money } = modeWords(mode);
  const paper = account.data?.equity;
  const hasKey = keys.data.length > 0;
  const hasDraft = blueprints.data.length > 0;
  const hasDeployed = blueprints.data.some(({ deploymentId }) => deploymentId !== null);
  if (hasDraft && hasDeployed) return null;
  return (
    <Panel
      title="First steps"
      actions={
        <Button variant="subtle" size="compact-sm" onClick={() => set({ firstSteps: false })}>
          Dismiss
        </Button>
      }
    >
      <p className="plain first-words">
        You have {paper === undefined ? '—' : usdWhole(paper)} in paper dollars to trade with. Choose a
        template, choose its market by name, deploy it and watch it decide.
      </p>
      <div className="grid-3">
        <Step
          done={hasDraft}
          number={1}
          title="Choose a template"
          go={(props) => <Link to="/blueprints" search={{ do: 'new' }} {...props} />}
          command={curl('POST', '/api/blueprints', { name: 'My strategy' })}
        >
          Each has a picture and says in a sentence what it does; its market is chosen by name.
        </Step>
        <Step
          done={hasDeployed}
          number={2}
          title={`Deploy it ${phrase}`}
          go={(props) => <Link to="/blueprints" {...props} />}
          command={curl('POST', '/api/blueprints/$ID/deploy')}
        >
          Runs with {money} at {priceWords(prices?.source)}, under your risk rules.
        </Step>
        <Step
          done={hasKey}
          number={3}
          title="Create an API key"
          go={(props) => <Link to="/keys" search={{ do: 'new' }} {...props} />}
          command={curl('GET', '/api/blueprints')}
        >
          Optional: for scripts and integrations. The console needs none.
        </Step>
      </div>
    </Panel>
  );
}

type StepProps = {
  done: boolean;
  number: number;
  title: string;
  /** The link there, given the looks of a button. */
  go: (props: { className: string; children: ReactNode }) => ReactNode;
  command: string;
  children: ReactNode;
};

function Step({ done, number, title, go, command, children }: StepProps) {
  return (
    <div className="stack tight">
      <strong className="row">
        {done ? <Check size={16} className="up" aria-label="Done" /> : <span className="dim">{number}</span>}
        {title}
      </strong>
      <span className="dim small">{children}</span>
      {done ? null : (
        <>
          <Curl command={command} />
          <div>
            <Button renderRoot={go}>{title}</Button>
          </div>
        </>
      )}
    </div>
  );
}
