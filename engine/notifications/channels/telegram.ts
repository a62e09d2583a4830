import { chatText } from './chat-text.ts';
import { checkUrl, defineChannel, httpAnswers, JSON_HEADERS, token } from './define-channel.ts';

const API = 'https://api.telegram.org';

export const telegram = defineChannel({
  kind: 'telegram',
  title: 'Telegram',
  help: 'In Telegram: ask @BotFather for a new bot, write it a message once, and give its token and the id of the chat.',
  form: [
    { name: 'botToken', label: 'Token of the bot', placeholder: '123456:ABC…' },
    { name: 'chatId', label: 'Chat ID', hint: 'A number, or @name of a channel; @userinfobot says yours.' },
  ],
  reader: 'person',
  needs: ['keys'],
  fields: {
    botToken: token(200).meta({ description: 'Of `telegram`: the token of the bot.' }),
    chatId: token(100).meta({ description: 'Of `telegram`: the chat it writes to.' }),
  },
  destination: ({ botToken, chatId }, rules) => ({
    target: `Telegram chat ${chatId}`,
    secrets: { url: checkUrl(`${API}/bot${botToken}/sendMessage`, rules, 'botToken'), chatId },
  }),
  write: ({ message, secrets: { url = '', chatId = '' } }) => ({
    url,
    headers: JSON_HEADERS,
    body: JSON.stringify({
      chat_id: chatId,
      text: chatText(message),
      link_preview_options: { is_disabled: true },
    }),
  }),
  ...httpAnswers(),
});
