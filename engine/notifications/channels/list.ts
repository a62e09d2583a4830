/** Every kind of channel, under its name in `CHANNEL_KINDS`. */
export { discord } from './discord.ts';
export { email } from './email.ts';
export { push } from './push.ts';
export { slack } from './slack.ts';
export { telegram } from './telegram.ts';
export { webhook } from './webhook.ts';
