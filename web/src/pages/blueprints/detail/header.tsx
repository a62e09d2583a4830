import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { CloudAlert, CloudCheck, CloudUpload, LoaderCircle } from 'lucide-react';
import { useCallback, useState } from 'react';
import { readProblem } from '../../../api/problem.ts';
import type { Blueprint } from '../../../api/row-types.ts';
import { queryClient, trpc } from '../../../api/trpc.ts';
import type { Saving } from '../../../editor/draft-sync.ts';
import type { Draft } from '../../../editor/use-draft-sync.ts';
import { t } from '../../../language/language.ts';
import { Trans } from '../../../language/trans.tsx';
import { Id } from '../../../ui/copy.tsx';
import { onDemand } from '../../../ui/help/on-demand.tsx';
import { MoreMenu } from '../../../ui/menu/more-menu.tsx';
import { BlueprintStatusMark } from '../../../ui/status.tsx';
import { Tags } from '../../../ui/tags.tsx';
import { Time } from '../../../ui/time.tsx';
import { useDialogFromAddress } from '../../../ui/use-dialog-from-address.ts';
import { copyName, useCreate } from '../create.ts';
import { DeleteDialog } from './delete-dialog.tsx';
import { DeployDialog } from './deploy-dialog.tsx';
import { StopDialog } from './stop-dialog.tsx';

const ShareDialog = onDemand(async () => (await import('./share-dialog.tsx')).ShareDialog);
const TagsDialog = onDemand(async () => (await import('../tags-dialog.tsx')).TagsDialog);

type HeaderProps = {
  blueprint: Blueprint;
  draft: Draft;
  /** Text was typed and is not applied. */
  isTyped: boolean;
};

export function BlueprintHeader({ blueprint, draft, isTyped }: HeaderProps) {
  const { id, name, status, visual } = blueprint;
  const list = useQuery(trpc.console.blueprints.queryOptions({}));
  const tags = list.data?.find((each) => each.id === id)?.tags ?? [];
  const [open, setOpen] = useState<'deploy' | 'stop' | 'delete' | 'tags' | 'share' | null>(null);
  const create = useCreate();
  const navigate = useNavigate();
  const runs = status === 'running' || status === 'error';
  const close = () => setOpen(null);
  /** Only a stored graph can be reviewed, and typed text is no part of it before it is applied. */
  const reviewDeploy = useCallback(async () => {
    if (!isTyped && (await draft.sync.save())) return setOpen('deploy');
    notifications.show({
      color: 'red',
      message: isTyped
        ? t('What you typed is not applied.')
        : t('Not saved, so it cannot be deployed. The reason is beside the name.'),
    });
  }, [draft.sync, isTyped]);
  // A status from an earlier visit may be another by now, and would leave the request without an effect.
  const isCurrent = !useQuery(trpc.console.blueprint.queryOptions({ id })).isFetching;
  useDialogFromAddress(
    'deploy',
    useCallback(() => {
      if (status !== 'running') void reviewDeploy();
    }, [status, reviewDeploy]),
    isCurrent,
  );
  useDialogFromAddress(
    'stop',
    useCallback(() => {
      if (runs) setOpen('stop');
    }, [runs]),
    isCurrent,
  );
  const deploy = () => void reviewDeploy();
  return (
    <div className="page-head strategy-head">
      <h1>
        <NameField key={name} id={id} name={name} readOnly={status === 'running'} />
      </h1>
      <div className="row facts-of-head">
        <BlueprintStatusMark status={status} />
        <Id id={id} label={t('strategy ID')} />
        {status === 'running' ? null : <SavingMark saving={draft.saving} />}
        {tags.length > 0 ? <Tags of={tags} /> : null}
      </div>
      <div className="row">
        {runs ? (
          <Button variant="default" color="red" onClick={() => setOpen('stop')}>
            {t('Stop…')}
          </Button>
        ) : null}
        {status === 'running' ? null : <Button onClick={deploy}>{t('Deploy…')}</Button>}
        <MoreMenu
          actions={[
            {
              label: t('Duplicate as draft'),
              act: () => create.mutate({ name: copyName(name), visual, tags }),
            },
            { label: t('Tags…'), act: () => setOpen('tags') },
            { label: t('Share…'), act: () => setOpen('share') },
            { label: t('Copy the strategy ID'), act: () => void navigator.clipboard.writeText(id) },
            { label: t('Delete…'), act: () => setOpen('delete') },
          ]}
        />
      </div>
      {open === 'deploy' ? <DeployDialog blueprint={blueprint} onClose={close} /> : null}
      {open === 'delete' ? (
        <DeleteDialog
          blueprint={blueprint}
          onClose={close}
          onDeleted={() => void navigate({ to: '/blueprints' })}
        />
      ) : null}
      {open === 'tags' ? <TagsDialog blueprints={[{ id, name, tags }]} onClose={close} /> : null}
      {open === 'share' ? <ShareDialog blueprint={blueprint} onClose={close} /> : null}
      {open === 'stop' ? <StopDialog blueprint={blueprint} onClose={close} /> : null}
    </div>
  );
}

const NAME_MAX = 120;
const UNDO_VISIBLE_MS = 8_000;

/** The name, edited in place while the blueprint does not run; one press undoes a rename. */
function NameField({ id, name, readOnly }: { id: string; name: string; readOnly: boolean }) {
  const [typed, setTyped] = useState(name);
  const update = useMutation(
    trpc.blueprints.update.mutationOptions({
      onSuccess: () => {
        void queryClient.invalidateQueries(trpc.console.blueprint.queryFilter({ id }));
        void queryClient.invalidateQueries(trpc.console.blueprints.pathFilter());
      },
      onError: (error) => {
        setTyped(name);
        notifications.show({ color: 'red', message: readProblem(error).message });
      },
    }),
  );
  const rename = () => {
    const wanted = typed.trim();
    if (wanted === '' || wanted === name) return setTyped(name);
    update.mutate({ id, name: wanted }, { onSuccess: sayRenamed });
  };
  const sayRenamed = () =>
    notifications.show({
      autoClose: UNDO_VISIBLE_MS,
      message: (
        <span className="row apart">
          {t('Renamed.')}
          <Button variant="default" size="compact-xs" onClick={() => update.mutate({ id, name })}>
            {t('Undo')}
          </Button>
        </span>
      ),
    });
  return (
    <input
      className="name-input"
      aria-label={t('Name of the strategy')}
      maxLength={NAME_MAX}
      readOnly={readOnly}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={rename}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.blur();
        if (event.key === 'Escape') setTyped(name);
      }}
    />
  );
}

/** Whether the graph on screen is stored. */
function SavingMark({ saving }: { saving: Saving }) {
  const { state, at, why } = saving;
  return (
    <span className="status dim small" role="status" title={why?.message}>
      {state === 'saved' ? <CloudCheck size={14} aria-hidden /> : null}
      {state === 'unsaved' ? <CloudUpload size={14} aria-hidden /> : null}
      {state === 'saving' ? <LoaderCircle size={14} aria-hidden className="spin" /> : null}
      {state === 'failed' || state === 'conflict' ? (
        <CloudAlert size={14} aria-hidden className="bad" />
      ) : null}
      {state === 'saved' ? (
        at ? (
          <Trans message="saved {time}" values={{ time: <Time at={at.toISOString()} /> }} />
        ) : (
          t('saved')
        )
      ) : null}
      {state === 'unsaved' ? t('unsaved edits') : null}
      {state === 'saving' ? t('saving') : null}
      {state === 'conflict' ? <span className="bad">{t('not saved: changed elsewhere')}</span> : null}
      {state === 'failed' ? (
        <span className="bad">{t('not saved: {message}', { message: why?.message ?? '' })}</span>
      ) : null}
    </span>
  );
}
