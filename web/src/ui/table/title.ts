import { type Message, t } from '../../language/language.ts';

/** What a column is called: a message, said in the language of the moment, or a person's own word, as it is. */
export const titleOf = ({ title, isOwn }: { title: string | Message; isOwn?: true }): string =>
  isOwn ? String(title) : t(title);
