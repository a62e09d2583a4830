import { z } from 'zod';
import { textProblem } from '../../../../platform/text.ts';
import type { Run } from '../../run/run.ts';
import { NOTIFY_SEVERITIES, type NotifySeverity, type Value } from '../../types.ts';
import { isUnknown, reason } from '../../values.ts';
import { type Configured, defineNode, input } from '../node.ts';
import { seconds } from '../shared-settings.ts';
import type { Attempt, RisingEdgeMemory } from './rising-edge.ts';
import { isEdgeIdle, onRisingEdge, triggerOf } from './rising-edge.ts';

/** The shortest time between two notifications of one node, and the default. */
const RATE_SEC_MIN = 60;
const RATE_SEC_MAX = 604_800;
const TEXT_MAX = 500;
/** Mentions a node by its id. */
export const PLACEHOLDER = /\{([^{}]{1,100})\}/g;

/** Says why a text is invalid, or null. The id in a mention does not count, because copies of nodes have longer ids. */
export const notifyTextProblem = (text: string): string | null =>
  textProblem(text.replace(PLACEHOLDER, '{}'), { min: 1, max: TEXT_MAX, lines: true });

const limitOf = (sec: number) =>
  reason('minute_limit', `This node notified less than ${sec} s ago; the signal was skipped.`);

const AS: Readonly<Record<NotifySeverity, string>> = {
  info: '',
  warning: ' as a warning',
  critical: ' as critical',
};

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
  help: 'Notes a text in Activity and in the event stream each time the condition turns true, at most once a minute unless `atMostEverySec` is longer. Notification channels get the text too, unless the kind of its severity is off for them: `blueprint.said`, `blueprint.warning` or `blueprint.critical`.',
  sentence({ text: said, severity, atMostEverySec = RATE_SEC_MIN, ifTrueAtDeploy }, words) {
    const { needed, text, span, atDeploy } = words;
    const as = AS[NOTIFY_SEVERITIES.find((each) => each === severity) ?? 'info'];
    const rate = atMostEverySec === RATE_SEC_MIN ? '' : `, at most once every ${span(atMostEverySec, true)}`;
    return `Says “${text(said)}”${as} when ${needed('when')}${rate}${atDeploy(ifTrueAtDeploy)}`;
  },
  laws: {
    unknown: 'It waits while its condition is; values it mentions are shown as unknown.',
    gap: 'A signal over 60 seconds old is skipped.',
  },
  inputs: [input('when', 'boolean', 'Notifies when this turns true.')],
  config: z.strictObject({
    text,
    severity: z.enum(NOTIFY_SEVERITIES).default('info').meta({
      description:
        'How urgent it is. Each channel has a switch for each severity; critical ones are sent in quiet hours too, unless that switch says otherwise.',
    }),
    atMostEverySec: seconds(
      RATE_SEC_MIN,
      RATE_SEC_MAX,
      'Shortest time between two notifications of this step. What comes sooner is skipped, not sent later.',
    ).default(RATE_SEC_MIN),
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
      const { severity, atMostEverySec } = config;
      const tooSoon = { refused: limitOf(atMostEverySec) };
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
        if (spokenAt !== undefined && stepAt - spokenAt < atMostEverySec * 1_000) return tooSoon;
        run.notify({ nodeId, stepAt, severity, text: speak(run) });
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
