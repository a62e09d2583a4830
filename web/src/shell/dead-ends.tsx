import { Button } from '@mantine/core';
import { type ErrorComponentProps, Link } from '@tanstack/react-router';
import { ROOT } from '../api/here.ts';
import { sameIn } from '../api/mode.ts';
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

/** A page about real money where none may be traded with and none ever was. */
export const LiveIsOff = () => (
  <div className="page narrow">
    <h1>Live trading is off</h1>
    <div className="notice warn" role="note">
      <span>
        This service trades no real money, and this account never did. An operator switches it on with{' '}
        <code>LIVE_TRADING=on</code> and starts the service again.
      </span>
      <a href={sameIn('paper', location.pathname)}>Back to paper</a>
    </div>
  </div>
);

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
          <Button variant="default" onClick={() => location.assign(`${ROOT}/`)}>
            Go to the overview
          </Button>
        </div>
      </div>
    </main>
  );
}
