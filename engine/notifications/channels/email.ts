import { z } from 'zod';
import type { Message } from '../message.ts';
import { withoutInvisible } from './chat-text.ts';
import { defineChannel, type Mail, wrongField } from './define-channel.ts';

const SPECIAL: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => SPECIAL[character] ?? '');

/** Returns plain text and HTML; the HTML loads nothing. */
export const mailOf = ({ title, text, link }: Message): Mail => ({
  // A single line, whatever the name of a strategy contains.
  subject: withoutInvisible(title)
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .slice(0, 200),
  text: `${title}\n\n${text}\n\n${link}\n`,
  html: `<!doctype html><html lang="en"><body style="font:15px/1.5 system-ui,sans-serif"><h1 style="font-size:18px">${escaped(title)}</h1><p>${escaped(text)}</p><p><a href="${escaped(link)}">Open</a></p></body></html>`,
});

export const email = defineChannel({
  kind: 'email',
  title: 'E-mail',
  help: 'Only to an address that a user of this account signs in with.',
  form: [{ name: 'address', label: 'To' }],
  reader: 'person',
  needs: ['mail'],
  fields: {
    address: z.string().max(254).meta({ description: 'Of `email`: the address of a user of the account.' }),
  },
  destination(sent, { emails }) {
    const own = emails.find((each) => each.toLowerCase() === sent.address.toLowerCase());
    if (own === undefined)
      throw wrongField('address', 'must be the e-mail address of a user of this account');
    return { target: own, secrets: null };
  },
  write: ({ message }) => mailOf(message),
  // Permanent refusals by SMTP: of the message or of the mailbox.
  verdict: (status) => (status >= 500 ? 'refused' : status < 400 ? 'delivered' : 'retry'),
  isOfContent: () => true,
});
