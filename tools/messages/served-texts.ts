/** The service's texts that the console translates: of nodes, templates, rules, notifications and refusals. */

import { KINDS } from '../../engine/notifications/kinds.ts';
import { ERRORS } from '../../engine/platform/error-table.ts';
import { BALANCE_CHECKS } from '../../engine/risk/balance-checks.ts';
import { RULES } from '../../engine/risk/rules/catalogue.ts';
import { OTHER_CHECKS } from '../../engine/risk/rules/other-checks.ts';
import { describeCatalogue } from '../../engine/strategy/graph/nodes/catalogue.ts';
import { TEMPLATES } from '../../engine/strategy/graph/templates/index.ts';

/** Returns the titles of nodes, templates, rules and notifications, in order. */
export function servedTexts(): string[] {
  const texts = new Set<string>();
  const read = (what: unknown, names: readonly string[]) =>
    JSON.stringify(what, (name, value) => {
      if (typeof value === 'string' && names.includes(name)) texts.add(value);
      return value;
    });
  read(describeCatalogue(), ['title', 'help', 'description']);
  read([...RULES, ...OTHER_CHECKS], ['title', 'help', 'phrase', 'usageTitle', 'unit']);
  read(TEMPLATES, ['name', 'summary', 'risk']);
  read(KINDS, ['title']);
  return [...texts].sort();
}

/** Returns the sentence of each rule, with these values, and of each error that has one sentence. */
export const servedReasons = (limit = '100', actual = '5025.19'): string[] => [
  ...[...RULES, ...BALANCE_CHECKS].map(({ sentence }) => sentence(limit, actual)),
  ...Object.values(ERRORS).flatMap((entry) => ('message' in entry ? [entry.message] : [])),
];
