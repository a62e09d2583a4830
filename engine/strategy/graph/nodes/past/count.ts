import { z } from 'zod';
import { WINDOW_MAX } from '../../candles.ts';
import { overNumbers } from '../indicators/indicators.ts';
import { sumOf } from '../indicators/window-arithmetic.ts';
import { GAP_OF_WINDOW, windowedNode } from '../indicators/windowed-node.ts';
import { defineNode, input, output } from '../node.ts';
import { sampleSec } from '../shared-settings.ts';

export const count = defineNode({
  type: 'count',
  group: 'transform',
  title: 'Count',
  help: 'In how many of its last steps a condition was true, the newest included: candles of a condition on candles, samples of one that moves with every quote.',
  phrase: ({ period, sampleSec }, { one, text, sampled }) =>
    `the number of the last ${text(period)} steps${sampled(sampleSec)} in which ${one('in')}`,
  laws: {
    unknown: 'While its input is, or was in one of these steps; until `period` steps have passed.',
    gap: GAP_OF_WINDOW,
  },
  inputs: [input('in', 'boolean', 'The condition.')],
  outputs: [output('number', 'How often it was true, 0 to `period`.')],
  config: z.strictObject({
    period: z
      .int()
      .min(1)
      .max(WINDOW_MAX - 1)
      .meta({ description: 'Over how many steps.' }),
    sampleSec,
  }),
  bind: ({ period, sampleSec: every }) => {
    const kernel = overNumbers('Count', period, { kind: 'count', period }, sumOf);
    const { objectTo, over, ...past } = windowedNode(kernel, every, 'A count');
    return { ...past, object: (view) => objectTo(view('in')), build: over };
  },
});
