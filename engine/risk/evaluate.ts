import type { Exact } from '../platform/decimal.ts';
import type { Check, Finding } from './rule.ts';

/** Result of one check. Numbers are decimal strings; `headroom` is the rest of the limit after this order. */
export type ReceiptLine = {
  rule: string;
  limit: string;
  /** Null if the rule was skipped, or there is nothing to measure. */
  actual: string | null;
  headroom: string | null;
  verdict: 'pass' | 'wait' | 'deny' | 'skipped';
  note?: string;
};

/** Reason of a denial. `code` is the rule's name, or `stale_marks` if the rule had no fresh marks. */
export type Denial = {
  rule: string;
  code: string;
  limit: string;
  actual: string;
  message: string;
};

export type CheckResult = { line: ReceiptLine; denial: Denial | null };

type Named = Pick<Check, 'name' | 'looser' | 'sentence'>;
type Evaluable<Input> = Named & { evaluate(input: Input): Finding };

/** Evaluates one check for one order. */
export function evaluate<Input extends { readonly limit: Exact }>(
  check: Evaluable<Input>,
  input: Input,
): CheckResult {
  const finding = check.evaluate(input);
  return { line: lineOf(check, input.limit, finding), denial: denialOf(check, input.limit, finding) };
}

function lineOf({ name, looser }: Named, limit: Exact, { actual, verdict, note }: Finding): ReceiptLine {
  const left = actual && (looser === 'higher' ? limit.minus(actual) : actual.minus(limit));
  return {
    rule: name,
    limit: limit.toFixed(),
    actual: actual?.toFixed() ?? null,
    headroom: left?.toFixed() ?? null,
    verdict,
    ...(note !== undefined && { note }),
  };
}

/** Builds the denial: rule, limit and value in one sentence for the user. */
function denialOf({ name, sentence }: Named, limit: Exact, finding: Finding): Denial | null {
  if (finding.verdict !== 'deny') return null;
  const numbers = { limit: limit.toFixed(), actual: finding.actual.toFixed() };
  return {
    rule: name,
    code: name,
    ...numbers,
    message: sentence(numbers.limit, numbers.actual),
    ...finding.denial,
  };
}
