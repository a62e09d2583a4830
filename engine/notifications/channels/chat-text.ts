import type { Message } from '../message.ts';

/** Longer texts are refused by chats; ours are shorter by far. */
export const CHAT_TEXT_MAX = 1_800;

/** Removes characters that are invisible or turn the direction of a text. */
export const withoutInvisible = (text: string): string =>
  text.replaceAll(/[\u200b\u202a-\u202e\u2066-\u2069]/g, '');

export const chatText = ({ title, text, link }: Message): string =>
  [title, text, link].map(withoutInvisible).join('\n').slice(0, CHAT_TEXT_MAX);
