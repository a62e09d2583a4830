/** Words that complete a strategy's text, from the outlines of the node types. */
import {
  choicesOf,
  FUNCTIONS,
  type NodeFunction,
  settingNamesOf,
} from '../../../../../client/src/strategy-text/functions.ts';

/** `boost`: words of this strategy come before the functions of the language. */
type Completion = { label: string; type: string; detail?: string; boost?: number };

/** A line or a parameter with a name. */
const NAMED = /^[ \t]*(?:off[ \t]+|param[ \t]+)?([A-Za-z_]\w*(?:[.-]\w+)*)[ \t]*=/gm;
/** A setting whose value comes next, perhaps in a quote that is open. */
const SETTING = /(?<!\w)(\w{1,64}):[ \t]{0,8}("?)$/;
const TEXTS = /"(?:[^"\\]|\\.)*"/g;

const FUNCTION_COMPLETIONS: readonly Completion[] = [...FUNCTIONS.values()].map((each) => ({
  label: each.name,
  type: 'function',
  detail: `(${argumentsOf(each).join(', ')})`,
}));

/**
 * Lists the words for a place in a text: names of lines and functions; within a call, its inputs and settings too; after the
 * name of a setting, its choices. `before` is the line up to the word at that place.
 */
export function completionsAt(text: string, before: string): readonly Completion[] {
  const code = before.replaceAll(TEXTS, '');
  if (code.includes('//')) return [];
  const call = openCallIn(code);
  const [, setting = '', quote] = SETTING.exec(before) ?? [];
  const choices = (call && choicesOf(call.of.node, setting)) ?? [];
  if (choices.length > 0)
    return choices.map((choice) => ({
      label: quote === '"' ? String(choice) : JSON.stringify(choice),
      type: 'enum',
    }));
  if (code.includes('"')) return [];
  const names = [...text.matchAll(NAMED)].map(([, label = '']) => ({ label, type: 'variable', boost: 1 }));
  return [...(call ? openArgumentsOf(call) : []), ...names, ...FUNCTION_COMPLETIONS];
}

type OpenCall = { of: NodeFunction; given: string };

/** Returns the innermost call that is open at the end of some code. */
function openCallIn(code: string): OpenCall | null {
  let closed = 0;
  for (let at = code.length - 1; at >= 0; at--) {
    if (code[at] === ')') closed++;
    else if (code[at] === '(' && closed-- === 0) {
      const [word = ''] = /(?<![\w.-])[\w.-]{1,64}$/.exec(code.slice(0, at)) ?? [];
      const found = FUNCTIONS.get(word);
      return found ? { of: found, given: code.slice(at) } : null;
    }
  }
  return null;
}

const openArgumentsOf = ({ of, given }: OpenCall): Completion[] =>
  argumentsOf(of)
    .filter((name) => !given.includes(`${name}:`))
    .map((name) => ({ label: `${name}: `, type: 'property', boost: 1 }));

/** The names of inputs, then of settings that the function's name does not choose. */
function argumentsOf({ node, chosen }: NodeFunction): string[] {
  const names = new Set([...node.inputs.map(({ name }) => name), ...settingNamesOf(node, chosen)]);
  return [...names].filter((name) => !Object.hasOwn(chosen, name));
}
