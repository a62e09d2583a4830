import { trpc } from '../../api/trpc.ts';
import { type EntryDialogProps, EntryDialog as Shared } from '../../ui/dialogs/entry-dialog.tsx';
import { clearPassword } from './credentials.tsx';

/** What is entered about a connection; a password that was refused is typed again. */
export const EntryDialog = (props: EntryDialogProps) => (
  <Shared {...props} outdated={trpc.venueConnections.pathFilter()} onRefused={clearPassword} />
);
