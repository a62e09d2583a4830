import { Check, Hourglass, Minus, X } from 'lucide-react';
import type { Outputs } from '../api/trpc.ts';
import { reasonWords, ruleTitle, ruleValue } from '../format/rules.ts';
import { withTimes } from '../format/time.ts';
import { useSettings } from '../settings/store.ts';

type Line = Outputs['orders']['read']['receipt']['lines'][number];

const LOOK = {
  pass: { icon: Check, tone: 'ok', word: 'passes' },
  wait: { icon: Hourglass, tone: 'warn', word: 'waits for you' },
  deny: { icon: X, tone: 'bad', word: 'forbids' },
  skipped: { icon: Minus, tone: 'idle', word: 'does not apply' },
} as const;

/** What each rule saw and said: value and limit, always both. */
export function RuleLines({ lines }: { lines: readonly Line[] }) {
  const zone = useSettings((settings) => settings.zone);
  return (
    <ul className="rules">
      {lines.map((line) => {
        const { icon: Icon, tone, word } = LOOK[line.verdict];
        return (
          <li key={line.rule} className={`status ${tone}`} style={{ whiteSpace: 'normal' }}>
            <Icon size={14} aria-hidden />
            <span>
              {ruleTitle(line.rule)} {said(line)}{' '}
              <span className="dim small">{withTimes(line.note ? reasonWords(line.note) : word, zone)}</span>
            </span>
          </li>
        );
      })}
    </ul>
  );
}

function said({ rule, actual, limit, verdict }: Line): string {
  if (verdict === 'skipped' || actual === null) return '';
  const [asked, most] = [ruleValue(rule, actual), ruleValue(rule, limit)];
  switch (rule) {
    case 'cooldownAfterLossSec':
      return `${asked} of ${most}`;
    // What there is comes first: the line is named after that, not after what the order takes of it.
    case 'buyingPower':
      return `${most}, needs ${asked}`;
    case 'heldAndFree':
      return `${most}, sells ${asked}`;
    default:
      return `${asked} ${actual > limit ? '>' : verdict === 'deny' ? '≥' : '≤'} ${most}`;
  }
}
