import { type Prose, readProse } from './read.ts';
import { FIELDS, FIRST_WORDS, NAMES, SENTENCE_WORDS_MAX, WORDS } from './rules.ts';

const WORD = new RegExp(`\\b(?:${Object.keys(WORDS).join('|')})\\b`, 'gi');
const FIRST_WORD = new RegExp(`^(?:${FIRST_WORDS.join('|')})\\b`);
/** A sentence ends with a mark and a blank, or at an empty line, a row of a table or an item of a list. */
const SENTENCE_END = /(?<=[.:;!?])\s+|\n\s*\n|\n(?=\s*(?:[-*|#]|\d+\.|@))|\|/;

/** A place that breaks a rule, and what to write there. */
export type Broken = { line: number; what: string; remedy: string };

/** Finds where a file breaks a rule of `rules.ts`. */
export function findBroken(file: string, text: string): Broken[] {
  return readProse(file, text).flatMap((prose) => {
    if (prose.kind === 'name') return nameRule(file, prose);
    return [...wordsOf(prose), ...(prose.kind === 'comment' ? commentRules(prose) : [])];
  });
}

function nameRule(file: string, { line, text }: Prose): Broken[] {
  const remedy = Object.hasOwn(NAMES, text) ? NAMES[text] : undefined;
  if (remedy === undefined || FIELDS[text]?.includes(file)) return [];
  return [{ line, what: `the name "${text}"`, remedy }];
}

function wordsOf({ line, text }: Prose): Broken[] {
  return text.split('\n').flatMap((row, index) =>
    [...row.matchAll(WORD)].map(([word]) => ({
      line: line + index,
      what: `"${word}"`,
      remedy: WORDS[word.toLowerCase()] ?? '',
    })),
  );
}

function commentRules({ line, text }: Prose): Broken[] {
  const first = FIRST_WORD.exec(text.trim());
  const begun = first
    ? [
        {
          line,
          what: `a comment that begins with "${first[0]}"`,
          remedy: "a verb or the thing's name",
        },
      ]
    : [];
  const long = text
    .split(SENTENCE_END)
    .filter((sentence) => wordCount(sentence) > SENTENCE_WORDS_MAX)
    .map((sentence) => ({
      line,
      what: `a sentence of more than ${SENTENCE_WORDS_MAX} words ("${sentence.trim().slice(0, 40)}…")`,
      remedy: 'two sentences',
    }));
  return [...begun, ...long];
}

const wordCount = (sentence: string): number =>
  sentence.split(/\s+/).filter((word) => /\w/.test(word)).length;
