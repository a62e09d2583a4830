import { z } from 'zod';
import { writeOff as writeOffPosition } from '../../engine/trading/positions/write-off.ts';
import { route } from '../route.ts';
import { decimalNumber, exactNumber, singleLineText, uuid } from '../schemas.ts';

const WrittenOff = z
  .object({
    tokenId: z.string(),
    amount: decimalNumber,
    value: decimalNumber.meta({ description: 'USD per unit, as stated.' }),
    realizedPnl: decimalNumber.meta({ description: 'USD.' }),
  })
  .meta({ id: 'WrittenOffPosition' });

export const writeOff = route({
  method: 'POST',
  path: '/api/portfolio/positions/write-off',
  access: { kind: 'session', bucket: 'brake' },
  tag: 'Portfolio',
  summary: 'Write off a position that cannot be sold',
  description:
    'Web session only. Books out the whole holding of an instrument at a value you state. Allowed if its venue no longer lists it, has settled it without stating its value, or has a larger minimum sell size. Audited.',
  alsoAnswers: [404],
  idempotent: true,
  example: {
    request: { tokenId: 'KXELONMARS-99:yes', value: 0 },
    response: { tokenId: 'KXELONMARS-99:yes', amount: 3, value: 0, realizedPnl: -1.5 },
  },
  input: z.strictObject({
    tokenId: singleLineText(1, 200).meta({ description: 'The instrument as orders name it.' }),
    value: exactNumber({ min: 0 }).meta({
      description:
        'USD per unit. At most the best bid for an amount too small to sell; 1 for an outcome, the last mark for a coin, that is no longer traded.',
    }),
    blueprintId: uuid.optional().meta({ description: 'Write off only this blueprint’s holding.' }),
  }),
  output: WrittenOff,
  resolve: ({ ctx, input: { tokenId, value, blueprintId } }) =>
    writeOffPosition(ctx.work, { tokenId, value: String(value), ...(blueprintId && { blueprintId }) }),
});
