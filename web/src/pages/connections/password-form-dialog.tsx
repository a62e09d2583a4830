import { trpc } from '../../api/trpc.ts';
import { FormDialog, type FormDialogProps } from '../../ui/dialogs/form-dialog.tsx';
import { clearPassword } from './credentials.tsx';

/** The form of an entry about a connection; a refused password is typed again. */
export const PasswordFormDialog = (props: FormDialogProps) => (
  <FormDialog {...props} outdated={trpc.venueConnections.pathFilter()} onRefused={clearPassword} />
);
