import { z } from 'zod';
import { textProblem } from '../../../../platform/text.ts';
import type { Run } from '../../run/run.ts';
import type { Value } from '../../types.ts';
import { isUnknown, reason } from '../../values.ts';
import { type Configured, defineNode, input } from '../node.ts';
import type { Attempt, RisingEdgeMemory } from './rising-edge.ts';
import { isEdgeIdle, onRisingEdge, triggerOf } from './rising-edge.ts';

const MINUTE_MS = 60_000;
const TEXT_MAX = 500;
/** Mentions a node by its id. */
export const PLACEHOLDER = /\{([^{}]{1,100})\}/g;

/** Says why a text is invalid, or null. The id in a mention does not count, because copies of nodes have longer ids. */
export const notifyTextProblem = (text: string): string | null =>
  textProblem(text.replace(PLACEHOLDER, '{}'), { min: 1, max: TEXT_MAX, lines: true });

const MINUTE_LIMIT = reason(
  'minute_limit',
  'This node notified less than a minute ago; the signal was skipped.',
);

const text = z
  .string()
  .superRefine((value, { addIssue }) => {
    const problem = notifyTextProblem(value);
    if (problem !== null) addIssue({ code: 'custom', message: `The text ${problem}.` });
  })
  .meta({
    description: `What to say, up to ${TEXT_MAX} characters. {id} stands for the value of the node with that id.`,
    examples: ['RSI is down to {rsi}'],
  });

export const notify = defineNode({
  type: 'notify',
  group: 'action',
  title: 'Notify',
  help: 'Notes a text in Activity and in the event stream each time the condition turns true, at most once a minute. Notification channels get the text too, unless `blueprint.said` is off for them.',
  sentence: ({ text: said, ifTrueAtDeploy }, { needed, text, atDeploy }) =>
    `Says “${text(said)}” when ${needed('when')}${atDeploy(ifTrueAtDeploy)}`,
  laws: {
    unknown: 'It waits while its condition is; values it mentions are shown as unknown.',
    gap: 'A signal over 60 seconds old is skipped.',
  },
  inputs: [input('when', 'boolean', 'Notifies when this turns true.')],
  config: z.strictObject({
    text,
    ifTrueAtDeploy: z.enum(['fire', 'wait']).default('fire').meta({
      description:
        'If the condition is true at the deploy: notify at once, or wait until it turns true again.',
    }),
  }),
  bind: (config): Configured => ({
    mentions: [...config.text.matchAll(PLACEHOLDER)].map(([, id]) => id as string),
    build(wiring) {
      const { nodeId, slot } = wiring;
      const trigger = triggerOf(wiring, config.ifTrueAtDeploy);
      const slots = new Map(
        [...config.text.matchAll(PLACEHOLDER)].map(([, id]) => [id, wiring.slotOf(id as string)]),
      );
      const speak = (run: Run) =>
        config.text.replace(PLACEHOLDER, (all, id: string) => {
          const quoted = slots.get(id);
          return quoted === undefined ? all : show(run.values[quoted]);
        });
      const attempt: Attempt = (run, stepAt) => {
        const spokenAt = run.recall<RisingEdgeMemory>(slot)?.at;
        if (spokenAt !== undefined && stepAt - spokenAt < MINUTE_MS) return { refused: MINUTE_LIMIT };
        run.notify({ nodeId, stepAt, text: speak(run) });
        return 'fired';
      };
      return {
        isIdle: (run) => isEdgeIdle(run, trigger),
        act: (run) => onRisingEdge(run, trigger, attempt),
      };
    },
  }),
});

/** Formats numbers without floating-point noise, and conditions in words. */
function show(value: Value | undefined): string {
  if (value === undefined || isUnknown(value)) return 'unknown';
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  return String(Number(value.toPrecision(10)));
}
