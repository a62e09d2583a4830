import { Check, Hourglass, Minus, X } from 'lucide-react';
import type { Outputs } from '../api/trpc.ts';
import { withLocalTimes } from '../format/time.ts';
import { msg, t } from '../language/language.ts';
import { useSettings } from '../settings/store.ts';
import { useRuleCatalogue } from './use-rule-catalogue.ts';

type ReceiptLine = Outputs['orders']['read']['receipt']['lines'][number];

const LOOK = {
  pass: { icon: Check, tone: 'ok', word: msg('passes') },
  wait: { icon: Hourglass, tone: 'warn', word: msg('needs your approval') },
  deny: { icon: X, tone: 'bad', word: msg('forbids') },
  skipped: { icon: Minus, tone: 'idle', word: msg('does not apply') },
} as const;

/** The value and limit of each rule, always both, and its decision. */
export function RuleResults({ lines }: { lines: readonly ReceiptLine[] }) {
  const zone = useSettings((settings) => settings.zone);
  const words = useRuleCatalogue();
  return (
    <div className="rules-box">
      <ul className="rules">
        {lines.map((line) => {
          const { icon: Icon, tone, word } = LOOK[line.verdict];
          return (
            <li key={line.rule} className={`status ${tone}`}>
              <Icon size={14} aria-hidden />
              <span className="rule">{words.title(line.rule)}</span>{' '}
              <span className="num">{words.line(line)}</span>{' '}
              <span className={line.verdict === 'pass' ? 'verdict dim small' : 'verdict small'}>
                {withLocalTimes(line.note ? words.reason(line.note) : t(word), zone)}
              </span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
