import type { Message } from '../message.ts';
import { chatText } from './chat-text.ts';
import { defineChat } from './define-channel.ts';

const SPECIAL: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Returns a text that Slack shows literally: nothing in it becomes a mention or a link. */
export const slackBody = (message: Message): string =>
  JSON.stringify({
    text: chatText(message).replaceAll(/[&<>]/g, (character) => SPECIAL[character] ?? ''),
  });

export const slack = defineChat({
  kind: 'slack',
  title: 'Slack',
  help: 'In Slack: Apps, Incoming Webhooks, Add to Slack. Paste the address it shows.',
  label: 'Address of the incoming webhook',
  placeholder: 'https://hooks.slack.com/services/…',
  hosts: ['hooks.slack.com', 'hooks.slack-gov.com'],
  bodyOf: slackBody,
});
