import type { Approval } from '../risk-inputs.ts';
import { defineRule } from '../rule.ts';

export const requireApprovalAbove = defineRule({
  name: 'requireApprovalAbove',
  title: 'Approval above',
  unit: 'USD',
  column: 'require_approval_above',
  default: '50',
  isWhole: false,
  looser: 'higher',
  appliesTo: 'all',
  breach: 'wait',
  help: 'A larger order waits for a person.',
  description: 'USD. A larger order waits for a person.',
  evaluate({ limit, intent: { size, approval } }) {
    if (size.lte(limit)) return { actual: size, verdict: 'pass' };
    if (approval.by === 'nobody') return { actual: size, verdict: 'wait' };
    return { actual: size, verdict: 'pass', note: inWords(approval) };
  },
  sentence: (limit, actual) => `requireApprovalAbove is ${limit} USD, this order is ${actual} USD.`,
});

function inWords(approval: Exclude<Approval, { by: 'nobody' }>): string {
  switch (approval.by) {
    case 'deploy':
      return `preapproved: release ${approval.release}`;
    case 'person':
      return 'approved';
    case 'request':
      return 'approved by its request';
  }
}
