import { z } from 'zod';
import { PRICE_SOURCES } from '../../../engine/platform/price-source.ts';
import { openProcedure } from '../../trpc.ts';

const Entrance = z.object({
  signUp: z.boolean(),
  providers: z.array(z.string()),
  prices: z.enum(PRICE_SOURCES),
  demo: z.boolean(),
  demoSignIn: z.boolean(),
  mail: z.boolean(),
});

/**
 * The options of the sign-in page: sign-up of new users, providers, source of prices, demo account, and password reset by mail.
 */
export const signInOptions = openProcedure()
  .input(z.strictObject({}))
  .output(Entrance)
  .query(
    ({
      ctx: {
        signInOptions: { providers, ...options },
      },
    }) => ({ ...options, providers: [...providers] }),
  );
