import { z } from 'zod';
import { openProcedure } from '../trpc.ts';

const Entrance = z.object({ signUp: z.boolean(), providers: z.array(z.string()) });

/** What the sign-in page offers: whether new users may come, and the providers this service is set up for. */
export const entrance = openProcedure
  .input(z.strictObject({}))
  .output(Entrance)
  .query(
    ({
      ctx: {
        entrance: { signUp, providers },
      },
    }) => ({ signUp, providers: [...providers] }),
  );
