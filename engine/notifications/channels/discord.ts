import type { Message } from '../message.ts';
import { CHAT_TEXT_MAX, withoutInvisible } from './chat-text.ts';
import { defineChat } from './define-channel.ts';

/** Escapes styles and masked links, so that Discord shows them as plain text. */
const withoutMarkdown = (text: string): string => text.replaceAll(/[\\`*_~|>#[\]()-]/g, '\\$&');

export const discordBody = ({ title, text, link }: Message): string => {
  const content = [title, text].map(withoutInvisible).map(withoutMarkdown).join('\n');
  const room = CHAT_TEXT_MAX - link.length - 1;
  return JSON.stringify({ content: `${content.slice(0, room)}\n${link}`, allowed_mentions: { parse: [] } });
};

export const discord = defineChat({
  kind: 'discord',
  title: 'Discord',
  help: 'In Discord: settings of the text channel, Integrations, Webhooks, New webhook, Copy URL.',
  label: 'Address of the webhook',
  placeholder: 'https://discord.com/api/webhooks/…',
  hosts: ['discord.com', 'discordapp.com', 'canary.discord.com', 'ptb.discord.com'],
  bodyOf: discordBody,
});
