import { trpc } from '../../api/trpc.ts';
import { type EntryDialogProps, EntryDialog as Shared } from '../../ui/dialogs/entry-dialog.tsx';
import { clearPassword } from './credentials.tsx';

/** The form of an entry about a connection; a refused password is typed again. */
export const EntryDialog = (props: EntryDialogProps) => (
  <Shared {...props} outdated={trpc.venueConnections.pathFilter()} onRefused={clearPassword} />
);
