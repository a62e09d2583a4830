import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { readProblem } from '../api/problem.ts';
import { problemWords } from '../format/problem-words.ts';
import { t } from '../language/language.ts';
import { Trans } from '../language/trans.tsx';
import { CopyButton } from './copy.tsx';
import { useRuleCatalogue } from './use-rule-catalogue.ts';

/** An error for the user: what happened, the remedy, and the details to quote when asking for help. */
export function ProblemNotice({ error, retry }: { error: unknown; retry?: (() => void) | undefined }) {
  const problem = readProblem(error);
  const { title, reason } = useRuleCatalogue();
  const left = useCountdown(problem.retryAfterSec);
  return (
    <div className="notice bad" role="alert">
      <Words lines={problemWords(problem, title).map(reason)} />
      {left > 0 ? <div className="dim small">{t('Try again in {left} s.', { left })}</div> : null}
      <div className="row apart">
        <RequestId id={problem.requestId} />
        {retry ? (
          <Button variant="default" onClick={retry} disabled={left > 0}>
            {t('Try again')}
          </Button>
        ) : null}
      </div>
    </div>
  );
}

const Words = ({ lines }: { lines: readonly string[] }) =>
  lines.length === 1 ? (
    <div>{lines[0]}</div>
  ) : (
    <ul className="plain-list">
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );

export function RequestId({ id }: { id: string | null }) {
  if (id === null) return <span />;
  return (
    <span className="small dim row tight">
      <Trans message="request {code}" values={{ code: <code>{id}</code> }} />
      <CopyButton text={id} label={t('Copy request ID')} />
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
