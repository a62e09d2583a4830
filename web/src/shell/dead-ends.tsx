import { Button } from '@mantine/core';
import { type ErrorComponentProps, Link } from '@tanstack/react-router';
import { readProblem } from '../api/problem.ts';
import { RequestId } from '../ui/problem.tsx';

export function NotFound() {
  return (
    <main className="auth" id="main">
      <div className="stack narrow">
        <h1>There is no such page</h1>
        <p className="dim">The address may be mistyped, or what it named was deleted.</p>
        <Link to="/">Go to the overview</Link>
      </div>
    </main>
  );
}

/** What is shown when the console itself failed: what happened, what to quote, and a way on. */
export function Crash({ error, reset }: ErrorComponentProps) {
  const problem = readProblem(error);
  return (
    <main className="auth" id="main">
      <div className="stack narrow">
        <h1>This page failed</h1>
        <div className="notice bad" role="alert">
          {problem.message}
          <RequestId id={problem.requestId} />
        </div>
        <p className="dim">Strategies and orders do not depend on this page; they go on as they are.</p>
        <div className="row">
          <Button onClick={reset}>Try again</Button>
          <Button variant="default" onClick={() => location.assign('/')}>
            Go to the overview
          </Button>
        </div>
      </div>
    </main>
  );
}
