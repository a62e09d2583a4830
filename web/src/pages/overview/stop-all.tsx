import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { queryClient, trpc } from '../../api/trpc.ts';
import { ConfirmDialog } from '../../ui/confirm.tsx';

type StopAllProps = { blueprints: readonly { id: string; name: string }[]; onClose: () => void };

export function StopAllDialog({ blueprints, onClose }: StopAllProps) {
  const stop = useMutation(
    trpc.blueprints.stopAll.mutationOptions({
      onSuccess: ({ stopped }) => {
        notifications.show({ message: `Stopped ${stopped} blueprints.` });
        void queryClient.invalidateQueries();
        onClose();
      },
    }),
  );
  return (
    <ConfirmDialog
      title={`Stop all ${blueprints.length} running blueprints?`}
      action={`Stop ${blueprints.length} blueprints`}
      danger
      typeToConfirm="stop all"
      pending={stop.isPending}
      error={stop.error}
      onConfirm={() => stop.mutate({})}
      onClose={onClose}
    >
      <ul style={{ margin: 0, paddingLeft: 18 }}>
        {blueprints.map(({ id, name }) => (
          <li key={id}>{name}</li>
        ))}
      </ul>
      <p className="dim" style={{ margin: 0 }}>
        Their waiting and queued orders are canceled at once. Orders at a venue get a cancel and may still
        fill until the venue confirms. Positions stay, and no exit guards them any more.
      </p>
    </ConfirmDialog>
  );
}
