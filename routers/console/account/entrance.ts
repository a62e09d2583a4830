import { z } from 'zod';
import { PRICE_SOURCES } from '../../../engine/platform/price-source.ts';
import { openProcedure } from '../../trpc.ts';

const Entrance = z.object({
  signUp: z.boolean(),
  providers: z.array(z.string()),
  prices: z.enum(PRICE_SOURCES),
  demo: z.boolean(),
  mail: z.boolean(),
});

/** What the sign-in page offers: whether new users may come, the providers this service is set up for, whose prices it trades on, whether there is a demo account, and whether a forgotten password is helped by mail. */
export const entrance = openProcedure()
  .input(z.strictObject({}))
  .output(Entrance)
  .query(
    ({
      ctx: {
        entrance: { signUp, providers, prices, demo, mail },
      },
    }) => ({ signUp, providers: [...providers], prices, demo, mail }),
  );
