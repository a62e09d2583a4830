import { z } from 'zod';
import type { Value } from '../../types.ts';
import { portKindSetting, portsByKind } from '../choice/port-kind-setting.ts';
import { overNumbers } from '../indicators/indicators.ts';
import { GAP_OF_WINDOW, windowedNode } from '../indicators/windowed-node.ts';
import { type Behavior, defineNode, input, output } from '../node.ts';
import { sampleSec } from '../shared-settings.ts';

export const lag = defineNode({
  type: 'lag',
  group: 'transform',
  title: 'Lag',
  help: 'The value its input had `period` steps ago: candles of an input that moves with candles, samples of one that moves with every quote.',
  phrase: ({ period, sampleSec }, { one, text, sampled }) =>
    `(${one('in')} ${text(period)} steps ago${sampled(sampleSec)})`,
  laws: {
    unknown: 'While its input is, or was in one of the steps since; until `period` steps have passed.',
    gap: GAP_OF_WINDOW,
  },
  inputs: portsByKind((kind, options) => [input('in', kind, 'What is delayed.', options)]),
  outputs: portsByKind((kind, { when }) => [output(kind, 'The earlier value.', when)]),
  config: z.strictObject({
    kind: portKindSetting(),
    period: z.int().min(1).max(999).meta({ description: 'How many steps it looks back.' }),
    sampleSec,
  }),
  bind: ({ kind, period, sampleSec: every }) => {
    const kernel = overNumbers('Lag', period + 1, { kind: 'lag', period }, ([oldest = Number.NaN]) => oldest);
    const { objectTo, over, ...past } = windowedNode(kernel, every, 'A lag');
    return {
      ...past,
      object: (view) => objectTo(view('in')),
      build: (wiring) => (kind === 'number' ? over(wiring) : asCondition(over(wiring))),
    };
  },
});

const asCondition = ({ compute }: Behavior): Behavior => ({
  compute(run) {
    const value = compute?.(run) as Value;
    return typeof value === 'number' ? value === 1 : value;
  },
});
