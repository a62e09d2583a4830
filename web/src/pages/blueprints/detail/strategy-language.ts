/** The language of `.strategy` text for the code editor: colours and completion. */
import { autocompletion, type CompletionContext } from '@codemirror/autocomplete';
import { StreamLanguage } from '@codemirror/language';
import { FUNCTIONS, RESERVED } from '../../../../../client/src/strategy-text/functions.ts';
import { completionsAt } from './strategy-completions.ts';

const COLOURED = StreamLanguage.define({
  token(stream) {
    if (stream.match(/^\/\/.*/)) return 'comment';
    if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) return 'string';
    if (stream.match(/^[0-9][\w.]*/)) return 'number';
    if (stream.match(/^[A-Za-z_]\w*(?:[.-]\w+)*/)) {
      const word = stream.current();
      if (RESERVED.has(word)) return 'keyword';
      return FUNCTIONS.has(word) && stream.peek() === '(' ? 'propertyName' : null;
    }
    stream.next();
    return null;
  },
});

function complete(context: CompletionContext) {
  const word = context.matchBefore(/[\w.-]*/);
  if (!word || (word.from === word.to && !context.explicit)) return null;
  const { from, text } = context.state.doc.lineAt(context.pos);
  const options = completionsAt(context.state.doc.toString(), text.slice(0, word.from - from));
  return { from: word.from, options, validFor: /^[\w.-]*$/ };
}

export const STRATEGY_LANGUAGE = [COLOURED, autocompletion({ override: [complete], icons: false })];
