import { z } from 'zod';
import type { Run } from '../../run/run.ts';
import { unknown } from '../../values.ts';
import { defineNode, output } from '../node.ts';
import { CATCHING_UP, shortName } from '../quote-readers.ts';
import { instrument } from '../shared-settings.ts';

const NUMBERS = ['secondsToClose', 'volume24h', 'openInterest'] as const;
const FIELDS = [...NUMBERS, 'listed'] as const;
type Field = (typeof FIELDS)[number];

export const marketInfo = defineNode({
  type: 'market.info',
  group: 'source',
  title: 'Market facts',
  help: 'A slow fact about a market: seconds until it closes, volume of the last 24 hours, open interest, or whether it is listed. Has no maximum age: the last one known is used.',
  phrase: ({ field }, { name, word }) =>
    field === 'listed' ? `${name} is listed` : `${word(field)} of ${name}`,
  laws: {
    unknown: 'While the venue does not state it.',
  },
  outputs: [
    output('number', 'The fact. `secondsToClose` falls below 0 after the close.', {
      setting: 'field',
      in: NUMBERS,
    }),
    output('boolean', 'Whether it has opened and has not ended.', { setting: 'field', in: ['listed'] }),
  ],
  config: z.strictObject({
    instrument: instrument(),
    field: z.enum(FIELDS).meta({
      description:
        'Seconds until the close; volume of the last 24 hours (contracts on venue A, USD elsewhere); contracts held (venue A only); or whether it has opened and is not closed, settled or delisted, as stated by then.',
    }),
  }),
  bind: ({ instrument: tokenId, field }) => ({
    moves: 'tick',
    needs: { quote: tokenId, instrument: tokenId, ...(field === 'listed' ? { listing: tokenId } : {}) },
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

const READERS: Record<Field, (run: Run, tokenId: string) => number | boolean | null | undefined> = {
  listed(run, tokenId) {
    const facts = run.world.instruments.get(tokenId);
    return facts && !facts.hasEnded && (facts.opensAt === null || facts.opensAt <= run.now);
  },
  volume24h: (run, tokenId) => run.quote(tokenId)?.volume24h,
  openInterest: (run, tokenId) => run.quote(tokenId)?.openInterest,
  secondsToClose(run, tokenId) {
    const closesAt = run.world.instruments.get(tokenId)?.closesAt;
    return closesAt === undefined || closesAt === null ? null : (closesAt - run.now) / 1000;
  },
};
