import type { Outputs } from '../../api/trpc.ts';
import { t } from '../../language/language.ts';

export type OperatedAccount = Outputs['console']['operator']['accounts']['rows'][number];

/** The e-mail, or the id of an account whose user is erased. */
export const accountName = ({ email, id }: OperatedAccount): string =>
  email ?? t('erased user …{id}', { id: id.slice(-8) });
