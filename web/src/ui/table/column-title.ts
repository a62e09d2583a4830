import { type Message, t } from '../../language/language.ts';

/** The title of a column: a message in the current language, or a user's own word, as it is. */
export const columnTitleOf = ({ title, isOwn }: { title: string | Message; isOwn?: true }): string =>
  isOwn ? String(title) : t(title);
