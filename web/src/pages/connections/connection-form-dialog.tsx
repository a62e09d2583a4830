import { trpc } from '../../api/trpc.ts';
import { type FormDialogProps, FormDialog as Shared } from '../../ui/dialogs/form-dialog.tsx';
import { clearPassword } from './credentials.tsx';

/** The form of an entry about a connection; a refused password is typed again. */
export const ConnectionFormDialog = (props: FormDialogProps) => (
  <Shared {...props} outdated={trpc.venueConnections.pathFilter()} onRefused={clearPassword} />
);
