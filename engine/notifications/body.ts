/** What is sent, by the manner of each receiver. Pure. */
import type { Message, Told } from './message.ts';

/** Longer texts are refused by chats; ours are shorter by far. */
const CHAT_TEXT_MAX = 1_800;

/** A webhook's body: what it is, when it happened, where to look, and all there is to know. The same bytes whenever it is sent. */
export const webhookBody = ({ kind, mode, at, data }: Told, { link }: Pick<Message, 'link'>): string =>
  JSON.stringify({ type: kind, timestamp: at, mode, link, data });

/** A text that a chat shows as it is: none of what the chat reads as a mention, a link or a style is one. */
const plain = (text: string): string => text.replaceAll(/[\u200b\u202a-\u202e\u2066-\u2069]/g, '');

const chatText = ({ title, text, link }: Message): string =>
  [title, text, link].map(plain).join('\n').slice(0, CHAT_TEXT_MAX);

const SLACK_SPECIAL: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

export const slackBody = (message: Message): string =>
  JSON.stringify({
    text: chatText(message).replaceAll(/[&<>]/g, (character) => SLACK_SPECIAL[character] ?? ''),
  });

export const discordBody = (message: Message): string =>
  JSON.stringify({ content: chatText(message), allowed_mentions: { parse: [] } });

export const telegramBody = (message: Message, chatId: string): string =>
  JSON.stringify({ chat_id: chatId, text: chatText(message), link_preview_options: { is_disabled: true } });

/** What the service worker of the console shows. */
export const pushBody = ({ title, text, link }: Message, { id, kind }: Told): string =>
  JSON.stringify({ id, kind, title, body: text, url: new URL(link).pathname + new URL(link).search });

const HTML_SPECIAL: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => HTML_SPECIAL[character] ?? '');

export type Mail = { readonly subject: string; readonly text: string; readonly html: string };

/** As plain text and as HTML; nothing of it is loaded from anywhere. */
export const mailOf = ({ title, text, link }: Message): Mail => ({
  // One line, whatever a strategy calls itself.
  subject: plain(title)
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .slice(0, 200),
  text: `${title}\n\n${text}\n\n${link}\n`,
  html: `<!doctype html><html lang="en"><body style="font:15px/1.5 system-ui,sans-serif"><h1 style="font-size:18px">${escaped(title)}</h1><p>${escaped(text)}</p><p><a href="${escaped(link)}">Open</a></p></body></html>`,
});
