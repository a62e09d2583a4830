import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { readProblem } from '../../api/problem.ts';
import { client, queryClient, trpc } from '../../api/trpc.ts';
import { t } from '../../language/language.ts';

export const NAME_MAX = 120;
export const copyName = (name: string): string => t('{name} copy', { name }).slice(0, NAME_MAX);

type NewDraft = { name: string; visual?: unknown; tags?: readonly string[] };

async function createTagged({ tags = [], ...draft }: NewDraft) {
  const made = await client.blueprints.create.mutate(draft);
  // The draft exists, even if its tags fail.
  if (tags.length > 0)
    await client.blueprints.setTags.mutate({ id: made.id, tags: [...tags] }).catch(sayUntagged);
  return made;
}

const sayUntagged = (error: unknown): void => {
  notifications.show({
    color: 'red',
    message: t('The copy has no tags: {reason}', { reason: readProblem(error).message }),
  });
};

/** Makes a draft and opens it. */
export function useCreate() {
  const navigate = useNavigate();
  return useMutation({
    mutationFn: createTagged,
    onSuccess: ({ id }) => {
      void queryClient.invalidateQueries(trpc.console.blueprints.pathFilter());
      void navigate({ to: '/blueprints/$id', params: { id }, search: { do: 'draw' } });
    },
    onError: (error) => notifications.show({ color: 'red', message: readProblem(error).message }),
  });
}

/** Copies the stored graph into a new draft. */
export function useDuplicate() {
  const create = useCreate();
  return useMutation({
    mutationFn: async ({ id, tags }: { id: string; tags: readonly string[] }) => {
      const { name, visual } = await client.console.blueprint.query({ id });
      await create.mutateAsync({ name: copyName(name), visual, tags });
    },
    onError: (error) => {
      if (!create.error) notifications.show({ color: 'red', message: readProblem(error).message });
    },
  });
}
