import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { RuleCatalogue } from '../api/row-types.ts';
import { trpc } from '../api/trpc.ts';
import { type RuleWords, ruleWords } from '../format/rule-words.ts';
import { translateResponse } from '../language/language.ts';

const NONE: RuleCatalogue = { rules: [], optional: [], others: [] };

const inLanguage = (rules: RuleCatalogue): RuleCatalogue => translateResponse(rules);

/** The rules that a user may change, in the order of reading, and the format of each. The shell reads them once. */
export function useRuleCatalogue(): RuleWords & Pick<RuleCatalogue, 'rules' | 'optional'> {
  const described = useQuery({
    ...trpc.console.rules.queryOptions({}),
    staleTime: 'static',
    gcTime: Number.POSITIVE_INFINITY,
    select: inLanguage,
  });
  const { rules, optional, others } = described.data ?? NONE;
  return useMemo(
    () => ({ rules, optional, ...ruleWords([...rules, ...optional, ...others]) }),
    [rules, optional, others],
  );
}
