import { z } from 'zod';
import { ENVIRONMENTS, VENUE_IDS } from '../../db/vocabulary.ts';
import { createConnection } from '../../engine/trading/connections/create.ts';
import { route } from '../route.ts';
import {
  CONNECTION_EXAMPLE,
  ConnectionView,
  CRYPTO_CREDENTIALS_EXAMPLE,
  Credentials,
  Label,
  limitFields,
  limitsOf,
  Password,
  viewConnection,
} from './schemas.ts';

export const create = route({
  method: 'POST',
  path: '/api/venue-connections',
  access: { kind: 'session' },
  tag: 'Venue connections',
  summary: 'Connect an account at a venue',
  description:
    'Web session only, with the password again. The credentials are sealed and in no answer. The connection is `unverified` until its checks pass; `GET` shows that.',
  idempotent: true,
  example: {
    request: {
      venue: 'crypto',
      environment: 'testnet',
      label: 'Testnet, small',
      credentials: CRYPTO_CREDENTIALS_EXAMPLE,
      maxOrder: 25,
      password: 'correct horse battery',
    },
    response: {
      ...CONNECTION_EXAMPLE,
      state: 'unverified',
      stateCode: 'not_checked',
      stateReason: 'Its checks have not been made yet.',
      checks: [],
      checkedAt: null,
      checkRequestedAt: CONNECTION_EXAMPLE.createdAt,
    },
  },
  input: z.strictObject({
    venue: z.enum(VENUE_IDS),
    environment: z
      .enum(ENVIRONMENTS)
      .meta({ description: 'It determines the venue’s URLs; a request cannot set them.' }),
    label: Label,
    credentials: Credentials,
    ...limitFields,
    isEligible: z.boolean().default(false).meta({
      description:
        'Required for `live`: you state that the account is yours and that you may trade at this venue from where you live. The audit trail records the person and the time.',
    }),
    password: Password,
  }),
  output: ConnectionView,
  prepare: ({ ctx, input }) => ctx.confirmPassword(ctx.principal, input.password),
  resolve: async ({ ctx, input: { venue, environment, label, credentials, isEligible, ...sent } }) => {
    const limits = { maxOrder: null, maxDay: null, maxOpenNotional: null, ...limitsOf(sent) };
    const wanted = { venue, environment, label, credentials, limits, isEligible };
    return viewConnection(
      await createConnection(ctx.work, wanted, {
        keys: ctx.credentialKeys,
        prices: ctx.signInOptions.prices,
      }),
    );
  },
});
