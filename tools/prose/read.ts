import jsTokens from 'js-tokens';

/** A piece of prose or a name; `line` counts from 1. */
export type Prose = { kind: 'comment' | 'text' | 'name'; line: number; text: string };

/**
 * Reads the prose of a file in order: comments, names, and texts with a blank in them, of code; the rows of a Markdown page.
 * The extension of `file` says which.
 */
export const readProse = (file: string, text: string): Prose[] =>
  file.endsWith('.md') ? readPage(text) : readCode(file, text);

const CODE_SPAN = /`[^`]*`/g;

function readPage(text: string): Prose[] {
  let isCode = false;
  return text.split('\n').flatMap((row, index): Prose[] => {
    if (row.startsWith('```')) isCode = !isCode;
    if (isCode || row.startsWith('```')) return [];
    return [{ kind: 'text', line: index + 1, text: row.replaceAll(CODE_SPAN, '`x`') }];
  });
}

const TEXTS = new Set([
  'StringLiteral',
  'NoSubstitutionTemplate',
  'TemplateHead',
  'TemplateMiddle',
  'TemplateTail',
  'JSXText',
  'JSXString',
]);

function readCode(file: string, text: string): Prose[] {
  const found: Prose[] = [];
  let line = 1;
  let lastCommentEnd = 0;
  for (const { type, value } of jsTokens(text, { jsx: file.endsWith('x') })) {
    if (type === 'SingleLineComment' || type === 'MultiLineComment') {
      const prose = value
        .replace(/^\/\*+|\*+\/$|^\/\/+/g, '')
        .split('\n')
        .map((row) =>
          row
            .replace(/^\s*\*\s?/, '')
            .replaceAll(CODE_SPAN, '`x`')
            .trim(),
        );
      const last = found.at(-1);
      // Lines of `//` below each other are one comment.
      if (type === 'SingleLineComment' && last?.kind === 'comment' && lastCommentEnd === line - 1)
        last.text += `\n${prose[0]}`;
      else found.push({ kind: 'comment', line, text: prose.join('\n') });
      lastCommentEnd = line + prose.length - 1;
    } else if (TEXTS.has(type)) {
      if (value.trim().includes(' ')) found.push({ kind: 'text', line, text: value });
    } else if (type === 'IdentifierName') found.push({ kind: 'name', line, text: value });
    line += value.split('\n').length - 1;
  }
  return found;
}
