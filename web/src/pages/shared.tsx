import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import { readProblem } from '../api/problem.ts';
import { sessionQuery } from '../api/session.ts';
import { client, type Outputs, queryClient, trpc } from '../api/trpc.ts';
import { CatalogueContext } from '../editor/context.ts';
import { readGraph } from '../editor/drawing/json.ts';
import { catalogueOf } from '../editor/drawing/model.ts';
import { GraphEditor } from '../editor/graph-editor.tsx';
import { ActionList } from '../editor/inspector/guide.tsx';
import { loadGraph } from '../editor/store.ts';
import { t } from '../language/language.ts';
import { Trans } from '../language/trans.tsx';
import { PageHead, Panel, RowSkeleton } from '../ui/panel.tsx';
import { ProblemNotice } from '../ui/problem.tsx';
import { Time } from '../ui/time.tsx';
import { useCreate } from './blueprints/create.ts';

/** Where the token waits while its visitor signs in: the address to return to is sent. */
const TOKEN = 'shared';

/** A strategy that its owner shares by a link, for everyone with the link. It can be read and copied. */
export function SharedPage() {
  // After `#`, so that it is in no address that a server or proxy receives.
  const { hash } = useLocation();
  useEffect(() => {
    if (hash !== '') sessionStorage.setItem(TOKEN, hash);
  }, [hash]);
  const token = hash === '' ? (sessionStorage.getItem(TOKEN) ?? '') : hash;
  const draft = useQuery({
    queryKey: ['shared', token],
    queryFn: async () => {
      const found = await client.console.shared.mutate({ token });
      // The catalogue is for signed-in users otherwise.
      queryClient.setQueryData(trpc.console.nodeTypes.queryKey({}), found.catalogue);
      return found;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <main className="page shared" id="main">
      {draft.data ? <Shared draft={draft.data} /> : null}
      {draft.isPending ? <RowSkeleton rows={8} height={50} /> : null}
      {draft.error ? <Refused error={draft.error} retry={() => void draft.refetch()} /> : null}
    </main>
  );
}

/** A link that shows nothing has one notice, whatever became of it. */
function Refused({ error, retry }: { error: Error; retry: () => void }) {
  if (![400, 404].includes(readProblem(error).status ?? 0))
    return <ProblemNotice error={error} retry={retry} />;
  return (
    <>
      <h1>{t('This link shows nothing')}</h1>
      <p className="plain">
        {t('It was revoked, has expired, or is incomplete. Ask its sender for a new one.')}
      </p>
    </>
  );
}

function Shared({ draft }: { draft: Outputs['console']['shared'] }) {
  const { name, visual, expiresAt } = draft;
  useEffect(() => loadGraph(readGraph(visual)), [visual]);
  const catalogue = useMemo(() => catalogueOf(draft.catalogue), [draft]);
  return (
    <>
      <PageHead title={name}>
        <TakeCopy name={name} visual={visual} />
      </PageHead>
      <div className="notice" role="note">
        <span>
          <Trans
            message="Another person shares this strategy with you, until {expiry}. Its names and texts are theirs. It runs nothing here, and the service does not recommend it."
            values={{ expiry: <Time at={expiresAt} /> }}
          />
        </span>
      </div>
      <GraphEditor
        id=""
        error={null}
        nodeStates={null}
        watched={false}
        readOnly
        isPart
        focus={undefined}
        save={nothingToSave}
      />
      <Panel title={t('What it does')}>
        <div className="stack tight">
          <CatalogueContext value={catalogue}>
            <ActionList />
          </CatalogueContext>
        </div>
      </Panel>
    </>
  );
}

function TakeCopy({ name, visual }: { name: string; visual: unknown }) {
  const { data: user } = useQuery(sessionQuery);
  const create = useCreate();
  if (user === undefined) return null;
  return user === null ? (
    <Link to="/sign-in" search={{ next: '/shared' }} className="chip large">
      {t('Sign in to take a copy')}
    </Link>
  ) : (
    <Button loading={create.isPending} onClick={() => create.mutate({ name, visual })}>
      {t('Take a copy')}
    </Button>
  );
}

const nothingToSave = async () => true;
