import nodemailer from 'nodemailer';
import type { Mail } from '../../../engine/notifications/channels/define-channel.ts';
import type { ReceiverAnswer } from '../../../engine/notifications/delivery-verdict.ts';

const CONNECTIONS_MAX = 4;
const CONNECT_MS = 10_000;
const SILENCE_MS = 15_000;

export type Mailer = {
  /** Never throws: an error is an answer. `id` names the message, and stays the same on every retry. */
  send(to: string, mail: Mail, id: string): Promise<ReceiverAnswer>;
  close(): void;
};

/**
 * Opens a connection to a mail server.
 *
 * @param from the sender of the messages, such as `Trading <notify@example.com>`
 */
export function openMailer({ url, from }: { url: string; from: string }): Mailer {
  const transport = nodemailer.createTransport({
    url,
    pool: true,
    maxConnections: CONNECTIONS_MAX,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    // Messages have no attachments and load no files.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = /@([^>\s]+)/.exec(from)?.[1] ?? 'localhost';
  return {
    async send(to, { subject, text, html }, id) {
      try {
        await transport.sendMail({ from, to, subject, text, html, messageId: `<${id}@${domain}>` });
        return { status: 250, problem: null };
      } catch (error) {
        return answerOf(error);
      }
    },
    close: () => transport.close(),
  };
}

function answerOf(error: unknown): ReceiverAnswer {
  const status = error instanceof Error && 'responseCode' in error ? Number(error.responseCode) : Number.NaN;
  if (status >= 400 && status < 600) return { status, problem: `the mail server answered ${status}` };
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return {
    status: null,
    problem: `the mail server could not be reached${code === '' ? '' : ` (${code.slice(0, 40)})`}`,
  };
}
