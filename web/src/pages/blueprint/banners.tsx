import { Link } from '@tanstack/react-router';
import { CircleAlert, Lock } from 'lucide-react';
import type { Blueprint } from './page.tsx';

/** What stands between a person and editing: an error of the whole blueprint, or that it runs. */
export function Banners({ blueprint }: { blueprint: Blueprint }) {
  const { id, status, error, nodeStates } = blueprint;
  const node = failedNode(nodeStates);
  return (
    <>
      {error ? (
        <div className="notice bad" role="alert">
          <div className="row apart">
            <span className="row">
              <CircleAlert size={16} className="bad" aria-hidden />
              <span>
                <strong>Error.</strong> {error}
              </span>
            </span>
            {node ? (
              <Link to="/blueprints/$id" params={{ id }} search={{ tab: 'graph', node }}>
                Show step {node}
              </Link>
            ) : null}
          </div>
          <span className="dim small">
            Entries are halted; exits go on until you stop it or deploy again.
          </span>
        </div>
      ) : null}
      {status === 'running' ? (
        <div className="notice" role="status">
          <span className="row">
            <Lock size={15} aria-hidden />
            Running, so it cannot be edited. Stop it first, or duplicate it as a draft.
          </span>
        </div>
      ) : null}
    </>
  );
}

function failedNode(states: unknown): string | null {
  if (typeof states !== 'object' || states === null) return null;
  const failed = Object.entries(states).find(
    ([, state]) =>
      typeof state === 'object' && state !== null && 'status' in state && state.status === 'error',
  );
  return failed?.[0] ?? null;
}
