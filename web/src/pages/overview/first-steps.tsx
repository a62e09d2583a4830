import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { trpc } from '../../api/trpc.ts';
import { Curl, curl } from '../../ui/copy.tsx';
import { Panel } from '../../ui/panel.tsx';

/** For a new account: three steps to a running strategy, each also as a command. Gone once all are done. */
export function FirstSteps() {
  const keys = useQuery(trpc.apiKeys.list.queryOptions({}));
  const blueprints = useQuery(trpc.blueprints.list.queryOptions({}));
  if (!keys.data || !blueprints.data) return null;
  const hasKey = keys.data.length > 0;
  const hasDraft = blueprints.data.length > 0;
  const hasDeployed = blueprints.data.some(({ deploymentId }) => deploymentId !== null);
  if (hasKey && hasDraft && hasDeployed) return null;
  return (
    <Panel title="First steps">
      <div className="grid-3">
        <Step
          done={hasKey}
          number={1}
          title="Create an API key"
          to="/keys"
          command={curl('GET', '/api/blueprints')}
        >
          For scripts and integrations. The console itself needs none.
        </Step>
        <Step
          done={hasDraft}
          number={2}
          title="Draw a strategy"
          to="/blueprints"
          command={curl('POST', '/api/blueprints', { name: 'My strategy' })}
        >
          Start from a template or an empty canvas.
        </Step>
        <Step
          done={hasDeployed}
          number={3}
          title="Deploy it on paper"
          to="/blueprints"
          command={curl('POST', '/api/blueprints/$ID/deploy')}
        >
          Real prices, simulated money, your risk rules.
        </Step>
      </div>
    </Panel>
  );
}

type StepProps = {
  done: boolean;
  number: number;
  title: string;
  to: '/keys' | '/blueprints';
  command: string;
  children: ReactNode;
};

function Step({ done, number, title, to, command, children }: StepProps) {
  return (
    <div className="stack" style={{ gap: 8 }}>
      <strong className="row">
        {done ? <Check size={16} className="up" aria-label="Done" /> : <span className="dim">{number}</span>}
        {title}
      </strong>
      <span className="dim small">{children}</span>
      <Curl command={command} />
      <div>
        <Button component={Link} to={to} variant={done ? 'default' : 'filled'}>
          {title}
        </Button>
      </div>
    </div>
  );
}
