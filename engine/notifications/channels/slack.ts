import type { Message } from '../message.ts';
import { chatText } from './chat-text.ts';
import { checkUrl, defineChannel, hintOf, httpAnswers, JSON_HEADERS, url } from './define-channel.ts';

const SPECIAL: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Returns a text that Slack shows literally: nothing in it becomes a mention or a link. */
export const slackBody = (message: Message): string =>
  JSON.stringify({
    text: chatText(message).replaceAll(/[&<>]/g, (character) => SPECIAL[character] ?? ''),
  });

/** Its own hosts: an address elsewhere would have to prove itself, as a webhook does. */
const HOSTS = ['hooks.slack.com', 'hooks.slack-gov.com'];

export const slack = defineChannel({
  kind: 'slack',
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
    body: slackBody(message),
  }),
  ...httpAnswers(),
});
