import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { readProblem } from '../../api/problem.ts';
import { client, queryClient, trpc } from '../../api/trpc.ts';

export const NAME_MAX = 120;
export const copyName = (name: string): string => `${name} copy`.slice(0, NAME_MAX);

/** Makes a draft and opens it. */
export function useCreate() {
  const navigate = useNavigate();
  return useMutation(
    trpc.blueprints.create.mutationOptions({
      onSuccess: ({ id }) => {
        void queryClient.invalidateQueries(trpc.console.blueprints.pathFilter());
        void navigate({ to: '/blueprints/$id', params: { id }, search: { do: 'draw' } });
      },
      onError: (error) => notifications.show({ color: 'red', message: readProblem(error).message }),
    }),
  );
}

/** A copy of what is stored now, as a draft of its own. */
export function useDuplicate() {
  const create = useCreate();
  return useMutation({
    mutationFn: async (id: string) => {
      const { name, visual } = await client.console.blueprint.query({ id });
      await create.mutateAsync({ name: copyName(name), visual });
    },
    onError: (error) => {
      if (!create.error) notifications.show({ color: 'red', message: readProblem(error).message });
    },
  });
}
