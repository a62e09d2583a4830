import type { Message } from '../message.ts';
import { CHAT_TEXT_MAX, withoutInvisible } from './chat-text.ts';
import { checkUrl, defineChannel, hintOf, httpAnswers, JSON_HEADERS, url } from './define-channel.ts';

/** Escapes styles and masked links, so that Discord shows them as plain text. */
const withoutMarkdown = (text: string): string => text.replaceAll(/[\\`*_~|>#[\]()-]/g, '\\$&');

export const discordBody = ({ title, text, link }: Message): string => {
  const content = [title, text].map(withoutInvisible).map(withoutMarkdown).join('\n');
  const room = CHAT_TEXT_MAX - link.length - 1;
  return JSON.stringify({ content: `${content.slice(0, room)}\n${link}`, allowed_mentions: { parse: [] } });
};

/** Its own hosts: an address elsewhere would have to prove itself, as a webhook does. */
const HOSTS = ['discord.com', 'discordapp.com', 'canary.discord.com', 'ptb.discord.com'];

export const discord = defineChannel({
  kind: 'discord',
  reader: 'person',
  needs: ['keys'],
  fields: { url },
  destination: (sent, rules) => {
    const address = checkUrl(sent.url, rules, 'url', HOSTS);
    return { target: hintOf(address), secrets: { url: address } };
  },
  write: ({ message, secrets }) => ({
    url: secrets.url ?? '',
    headers: JSON_HEADERS,
    body: discordBody(message),
  }),
  ...httpAnswers(),
});
