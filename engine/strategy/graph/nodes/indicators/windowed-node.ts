/** Nodes that look back over closed candles, over stored steps, or over samples of values that change with every quote. */
import { CONSTANT, TICK } from '../../update-clock.ts';
import type { Behavior, Configured, InputView, NodeIssue, Wiring } from '../node.ts';
import { candleIndicator } from './candle-indicator.ts';
import { indicatorOnSteps } from './indicator-on-steps.ts';
import type { Indicator } from './indicators.ts';
import { sampledIndicator } from './sampled-indicator.ts';

/** Describes for the manual how a window is filled. */
export const GAP_OF_WINDOW =
  'Candles that the venue left out are bridged. Candles that were missed are stepped one by one. Samples: after a gap of over five samples and a minute it starts again.';

/** A node that looks back over its input `in`. `what` is the start of its messages. */
export function windowedNode(
  kernel: Indicator,
  every: number | undefined,
  what: string,
): Pick<Configured, 'isPure' | 'window' | 'samples' | 'steps'> & {
  objectTo(input: InputView | null): readonly NodeIssue[];
  over(wiring: Wiring): Behavior;
} {
  const isSampled = every !== undefined;
  return {
    isPure: !isSampled,
    window: isSampled ? 1 : kernel.window,
    ...(isSampled ? { samples: kernel.window } : { steps: kernel.window }),
    objectTo: (input) => objectionsTo(input, every, what),
    over(wiring) {
      if (every !== undefined) return sampledIndicator(kernel, every, wiring);
      return wiring.history('in') === null
        ? indicatorOnSteps(kernel, wiring)
        : candleIndicator(kernel, wiring);
    },
  };
}

function objectionsTo(input: InputView | null, every: number | undefined, what: string): NodeIssue[] {
  if (input === null) return [];
  if (input.clock === CONSTANT)
    return [
      {
        code: 'constant_input',
        message: `${what} of a constant has no meaning. Connect a price or a candle.`,
      },
    ];
  if (input.isForming)
    return [
      {
        code: 'forming_candle',
        message: `${what} cannot use the candle that is still forming. Switch “closedOnly” on in the candle node.`,
      },
    ];
  if (input.clock === TICK && every === undefined)
    return [
      {
        code: 'needs_sampling',
        setting: 'sampleSec',
        message:
          'This input moves with every quote, or with candles of several series. Say in “sampleSec” how often to sample it: 5 or more, 3600 for hourly candles. Or use closed candles of one series.',
      },
    ];
  if (input.clock !== TICK && every !== undefined)
    return [
      {
        code: 'needless_sampling',
        setting: 'sampleSec',
        message: 'This input moves once per closed candle and needs no “sampleSec”. Remove it.',
      },
    ];
  return [];
}
