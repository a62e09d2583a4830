import { rotateCredentials } from '../../engine/trading/connections/change.ts';
import { EXAMPLE } from '../examples.ts';
import { route } from '../route.ts';
import {
  CONNECTION_EXAMPLE,
  ConnectionId,
  ConnectionView,
  CRYPTO_CREDENTIALS_EXAMPLE,
  Credentials,
  Password,
  viewConnection,
} from './schemas.ts';

export const rotate = route({
  method: 'POST',
  path: '/api/venue-connections/{id}/rotate',
  access: { kind: 'session' },
  tag: 'Venue connections',
  summary: 'Rotate the credentials',
  description:
    'Web session only, with the password again. The new credentials must belong to the same account at the venue. The old ones are deleted at once, and the checks run again.',
  idempotent: true,
  example: {
    path: { id: EXAMPLE.connectionId },
    request: { credentials: CRYPTO_CREDENTIALS_EXAMPLE, password: 'correct horse battery' },
    response: {
      ...CONNECTION_EXAMPLE,
      state: 'unverified',
      stateCode: 'not_checked',
      stateReason: 'Its checks are made again.',
      checkRequestedAt: EXAMPLE.updatedAt,
    },
  },
  input: ConnectionId.extend({ credentials: Credentials, password: Password }),
  output: ConnectionView,
  prepare: ({ ctx, input }) => ctx.confirmPassword(ctx.principal, input.password),
  resolve: async ({ ctx, input: { id, credentials } }) =>
    viewConnection(await rotateCredentials(ctx.work, id, credentials, ctx.credentialKeys)),
});
