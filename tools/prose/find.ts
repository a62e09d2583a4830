import { createHash } from 'node:crypto';
import { type Prose, readProse } from './read.ts';
import { FIRST_WORDS, NAMES, SENTENCE_WORDS_MAX, WORDS } from './rules.ts';

const WORD = new RegExp(`\\b(?:${Object.keys(WORDS).join('|')})\\b`, 'gi');
const FIRST_WORD = new RegExp(`^(?:${FIRST_WORDS.join('|')})\\b`);
/** A sentence ends with a mark and a blank, or at an empty line, a row of a table or an item of a list. */
const SENTENCE_END = /(?<=[.:;!?])\s+|\n\s*\n|\n(?=\s*(?:[-*|#]|\d+\.|@))|\|/;

/**
 * A place that breaks a rule. `id` is that of the prose around it, wherever it stands: a line that moves keeps its id, one that
 * is rewritten has another.
 */
export type Broken = { line: number; what: string; remedy: string; id: string };

/** Finds where a file breaks a rule of `rules.ts`. */
export function findBroken(file: string, text: string): Broken[] {
  return readProse(file, text).flatMap((prose) => {
    if (prose.kind === 'name') {
      const remedy = Object.hasOwn(NAMES, prose.text) ? NAMES[prose.text] : undefined;
      return remedy
        ? [{ line: prose.line, what: `the name "${prose.text}"`, remedy, id: idOf(file, prose.text) }]
        : [];
    }
    return [...wordsOf(prose), ...(prose.kind === 'comment' ? commentRules(prose) : [])];
  });
}

function wordsOf({ line, text }: Prose): Broken[] {
  return text.split('\n').flatMap((row, index) =>
    [...row.matchAll(WORD)].map(([word]) => ({
      line: line + index,
      what: `"${word}"`,
      remedy: WORDS[word.toLowerCase()] ?? '',
      id: idOf(word, row),
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
          id: idOf('first', text),
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
      id: idOf('long', sentence),
    }));
  return [...begun, ...long];
}

const wordCount = (sentence: string): number =>
  sentence.split(/\s+/).filter((word) => /\w/.test(word)).length;

/** Names are known by file, since one word stands in many lines of one; prose by its words, wherever it stands. */
function idOf(...parts: string[]): string {
  const words = parts.map((part) => part.trim().replaceAll(/\s+/g, ' ')).join('\n');
  return createHash('sha256').update(words).digest('hex').slice(0, 10);
}
