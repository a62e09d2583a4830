import type { Mail } from '../../engine/notifications/channels/define-channel.ts';

/** How long the link of a password reset is valid. */
export const RESET_SEC = 1_800;

/** The token stands behind `#`, which no browser sends to a server: no log and no proxy on the way stores it. */
export function resetMail(publicUrl: string, token: string): Mail {
  const link = `${publicUrl.replace(/\/$/, '')}/reset-password#${token}`;
  const lines = [
    'A new password was requested for this address. If it was you, open this page within 30 minutes:',
    link,
    'It works once, ends every session, and a code of your authenticator is asked for at sign-in as before. If it was not you, do nothing.',
  ];
  return {
    subject: 'Set a new password',
    text: lines.join('\n\n'),
    html: `<p>${lines[0]}</p><p><a href="${link}">${link}</a></p><p>${lines[2]}</p>`,
  };
}
