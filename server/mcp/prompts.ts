import type { GetPromptResult, Prompt } from '@modelcontextprotocol/sdk/types.js';
import { DomainError } from '../../engine/platform/errors.ts';

type Described = Prompt & { text: (given: Readonly<Record<string, string>>) => string };

/** The most characters of a user's text to quote. */
const GIVEN_CHARS_MAX = 2_000;

const PROMPTS: readonly Described[] = [
  {
    name: 'draft_strategy',
    title: 'Draft a strategy',
    description: 'From an idea to a checked graph; nothing is deployed without your word.',
    arguments: [{ name: 'idea', description: 'What it should do, in plain words.', required: true }],
    text: ({ idea }) => `Draft a strategy for this idea:

${idea}

1. Read the guide strategies by guides_read, and blueprints_nodeTypes with the types you need.
2. Say in two sentences when it buys, when it sells, and how much it may lose.
3. Create it by blueprints_create, check it by blueprints_validate, and fix every issue; report each warning that stays.
4. Compare its sizes with the risk rules (riskRules_read). Do not deploy it before I say so.`,
  },
  {
    name: 'explain_order',
    title: 'Explain an order',
    description: 'Why an order was raised, the result of each rule, and its outcome.',
    arguments: [{ name: 'orderId', description: 'The id of the order.', required: true }],
    text: ({
      orderId,
    }) => `Explain the order ${orderId}. Read it by orders_read, and its blueprint by blueprints_read.
Say why it was raised, each line of its receipt with its limit and value, and its outcome with the reason. State only facts from these answers.`,
  },
  {
    name: 'review_risk',
    title: 'Review risk',
    description: 'What is at risk now, and which limits are near.',
    text: () => `Review the risk of this account: riskRules_usage, portfolio_summary, portfolio_positions, and orders_list with status pending.
Say what is held and what it would cost if it went to nothing, which limits are used above 80 %, and what waits for my approval.
Change nothing: where a limit or a strategy should change, say which and why.`,
  },
];

export const prompts: readonly Prompt[] = PROMPTS.map(({ text: _text, ...prompt }) => prompt);

/** @throws DomainError `not_found`, or `validation_failed` if an argument is missing or too long. */
export function promptOf(name: string, given: Readonly<Record<string, string>> = {}): GetPromptResult {
  const found = PROMPTS.find((each) => each.name === name);
  if (!found) throw new DomainError('not_found', 'There is no such prompt: prompts/list names them.');
  for (const { name: argument, required } of found.arguments ?? []) {
    const { length } = given[argument] ?? '';
    if ((required && length === 0) || length > GIVEN_CHARS_MAX) {
      throw new DomainError('validation_failed', `${argument} takes 1 to ${GIVEN_CHARS_MAX} characters.`);
    }
  }
  return {
    description: found.description ?? name,
    messages: [{ role: 'user', content: { type: 'text', text: found.text(given) } }],
  };
}
