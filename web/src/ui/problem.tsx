import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { type Problem, readProblem } from '../api/problem.ts';
import { CopyButton } from './copy.tsx';

/** An error as a person needs it: what happened, what to do, and what to quote when asking for help. */
export function ProblemNotice({ error, retry }: { error: unknown; retry?: (() => void) | undefined }) {
  const problem = readProblem(error);
  const left = useCountdown(problem.retryAfterSec);
  return (
    <div className="notice bad" role="alert">
      <div>{problem.message}</div>
      {left > 0 ? <div className="dim small">Try again in {left} s.</div> : null}
      <Issues problem={problem} />
      <div className="row apart">
        <RequestId id={problem.requestId} />
        {retry ? (
          <Button variant="default" onClick={retry} disabled={left > 0}>
            Try again
          </Button>
        ) : null}
      </div>
    </div>
  );
}

function Issues({ problem }: { problem: Problem }) {
  if (problem.issues.length < 2) return null;
  return (
    <ul className="small" style={{ margin: 0, paddingLeft: 18 }}>
      {problem.issues.map((issue) => (
        <li key={`${issue.path}${issue.message}`}>
          {issue.path ? <code>{issue.path}</code> : null} {issue.message}
        </li>
      ))}
    </ul>
  );
}

export function RequestId({ id }: { id: string | null }) {
  if (id === null) return <span />;
  return (
    <span className="small dim row tight">
      request <code>{id}</code>
      <CopyButton text={id} label="Copy request id" />
    </span>
  );
}

function useCountdown(seconds: number | null): number {
  const [left, setLeft] = useState(seconds ?? 0);
  useEffect(() => {
    setLeft(seconds ?? 0);
    if (seconds === null) return;
    const timer = setInterval(() => setLeft((now) => Math.max(0, now - 1)), 1_000);
    return () => clearInterval(timer);
  }, [seconds]);
  return left;
}
