import { z } from 'zod';
import type { Run } from '../../run/run.ts';
import { unknown } from '../../values.ts';
import { defineNode, output } from '../node.ts';
import { CATCHING_UP, shortName } from '../quote-readers.ts';
import { instrument } from '../shared-settings.ts';

const FIELDS = ['secondsToClose', 'volume24h', 'openInterest'] as const;
type Field = (typeof FIELDS)[number];

export const marketInfo = defineNode({
  type: 'market.info',
  group: 'source',
  title: 'Market facts',
  help: 'A slow fact about a market: seconds until it closes, volume of the last 24 hours, or open interest. Has no maximum age: the last one known is used.',
  phrase: ({ field }, { name, word }) => `${word(field)} of ${name}`,
  laws: {
    unknown: 'While the venue does not state it.',
  },
  outputs: [output('number', 'The fact. `secondsToClose` falls below 0 after the close.')],
  config: z.strictObject({
    instrument: instrument(),
    field: z.enum(FIELDS).meta({
      description:
        'Seconds until the close; volume of the last 24 hours (contracts on venue A, USD elsewhere); contracts held (venue A only).',
    }),
  }),
  bind: ({ instrument: tokenId, field }) => ({
    moves: 'tick',
    needs: { quote: tokenId, instrument: tokenId },
    build() {
      const none = unknown('no_data', `The venue states no ${field} of ${shortName(tokenId)}.`);
      const readFact = READERS[field];
      return {
        compute: (run) => (run.isLive ? (readFact(run, tokenId) ?? none) : CATCHING_UP),
        asOf: (run) => run.quote(tokenId)?.asOf ?? null,
      };
    },
  }),
});

const READERS: Record<Field, (run: Run, tokenId: string) => number | null | undefined> = {
  volume24h: (run, tokenId) => run.quote(tokenId)?.volume24h,
  openInterest: (run, tokenId) => run.quote(tokenId)?.openInterest,
  secondsToClose(run, tokenId) {
    const closesAt = run.world.instruments.get(tokenId)?.closesAt;
    return closesAt === undefined || closesAt === null ? null : (closesAt - run.now) / 1000;
  },
};
