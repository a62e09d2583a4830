import { z } from 'zod';
import { type ClosedCandles, candleKey } from '../../candles.ts';
import { unknown } from '../../values.ts';
import { type Behavior, type Configured, defineNode, output, type Wiring } from '../node.ts';
import { CATCHING_UP } from '../quote-readers.ts';
import { interval, symbol } from '../shared-settings.ts';

/** A forming candle not refreshed for this long is not used. */
const FORMING_MAX_AGE_MS = 30_000;

const settings = z.strictObject({
  symbol: symbol(),
  interval: interval(),
  field: z
    .enum(['open', 'high', 'low', 'close', 'volume'])
    .default('close')
    .meta({ description: 'Which number of the candle.' }),
  closedOnly: z.boolean().default(true).meta({
    description:
      'True: the last closed candle, one step per candle and none skipped. False: the candle that is still forming, which changes with every quote and feeds no indicator.',
  }),
});
type Settings = z.output<typeof settings>;

export const cryptoCandle = defineNode({
  type: 'crypto.candle',
  group: 'source',
  title: 'Crypto candle',
  help: 'One number of a candle. A blueprint on closed candles steps once per candle, in order, also after a pause.',
  phrase: ({ interval, field, closedOnly }, { name, text }) =>
    `${name} ${text(interval)} ${text(field)}${closedOnly === false ? ' so far' : ''}`,
  laws: {
    unknown: 'Before the first candle. Read by something faster: once the next candle is over a minute late.',
    gap: 'Candles that the venue left out are bridged. Candles that were missed are stepped one by one.',
  },
  outputs: [output('number', 'Open, high, low, close or volume of the candle.')],
  config: settings,
  bind: (config) => (config.closedOnly ? closedCandle(config) : formingCandle(config)),
});

function closedCandle({ symbol, interval, field }: Settings): Configured {
  return {
    moves: { symbol, interval },
    isPure: true,
    needs: { candle: { symbol, interval, open: false } },
    build({ clock }: Wiring): Behavior {
      const none = unknown('no_data', `No closed ${interval} candle of ${symbol} has arrived yet.`);
      return {
        field,
        compute(run) {
          const index = run.cursors.index[clock] as number;
          return index < 0 ? none : (run.cursors.candles[clock] as ClosedCandles).valueAt(index, field);
        },
        asOf: (run) => run.cursors.cursor[clock] || null,
      };
    },
  };
}

function formingCandle({ symbol, interval, field }: Settings): Configured {
  const key = candleKey(symbol, interval);
  return {
    moves: 'tick',
    needs: { candle: { symbol, interval, open: true } },
    build() {
      const none = unknown('no_data', `The forming ${interval} candle of ${symbol} is not known yet.`);
      const stale = unknown(
        'stale',
        `The forming ${interval} candle of ${symbol} was not refreshed for 30 s.`,
      );
      return {
        compute(run) {
          if (!run.isLive) return CATCHING_UP;
          const series = run.world.candles.get(key);
          if (!series?.open || series.openAsOf === null) return none;
          return run.now - series.openAsOf > FORMING_MAX_AGE_MS ? stale : series.open[field];
        },
        asOf: (run) => run.world.candles.get(key)?.openAsOf ?? null,
      };
    },
  };
}
