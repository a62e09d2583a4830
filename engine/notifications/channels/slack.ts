import type { Message } from '../message.ts';
import { chatText } from './chat-text.ts';
import { defineChat } from './define-channel.ts';

const SPECIAL: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Returns a text that Slack shows literally: nothing in it becomes a mention or a link. */
export const slackBody = (message: Message): string =>
  JSON.stringify({
    text: chatText(message).replaceAll(/[&<>]/g, (character) => SPECIAL[character] ?? ''),
  });

const HOSTS = ['hooks.slack.com', 'hooks.slack-gov.com'];

export const slack = defineChat('slack', HOSTS, slackBody);
