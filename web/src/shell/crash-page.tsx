import { Button } from '@mantine/core';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { MODE_PREFIX } from '../api/page-mode.ts';
import { readProblem } from '../api/problem.ts';
import { t } from '../language/language.ts';
import { RequestId } from '../ui/problem.tsx';

/** The page of an error in the console itself: the error, its details to quote, and a link to continue. */
export function CrashPage({ error, reset }: ErrorComponentProps) {
  const problem = readProblem(error);
  return (
    <main className="auth" id="main">
      <div className="stack narrow">
        <h1>{t('This page failed')}</h1>
        <div className="notice bad" role="alert">
          {problem.message}
          <RequestId id={problem.requestId} />
        </div>
        <p className="dim">
          {t('Strategies and orders do not depend on this page; they continue unchanged.')}
        </p>
        <div className="row">
          <Button onClick={reset}>{t('Try again')}</Button>
          <Button variant="default" onClick={() => location.assign(`${MODE_PREFIX}/`)}>
            {t('Go to the overview')}
          </Button>
        </div>
      </div>
    </main>
  );
}
