import { z } from 'zod';
import { sessionProcedure } from '../../trpc.ts';

const PASSWORD_MAX = 128;

/** Deletes the account: ends its activity and signs its person out permanently; the books stay without a name. */
export const deleteAccount = sessionProcedure({ bucket: 'brake' })
  .input(z.strictObject({ password: z.string().min(1).max(PASSWORD_MAX) }))
  .output(z.null())
  .mutation(
    async ({ ctx: { confirmPassword, deleteAccount: letGo, principal, work }, input: { password } }) => {
      await confirmPassword(principal, password);
      await letGo(work, principal);
      return null;
    },
  );
