import { type ReactNode, useId } from 'react';
import type { ChannelKind, NewChannel, NotificationOptions } from '../../format/notification.ts';
import { t } from '../../language/language.ts';

/** What is needed to reach a channel of a kind. What is typed is held by the page's own fields alone. */
export function WayFields({ kind, emails }: { kind: ChannelKind; emails: NotificationOptions['emails'] }) {
  const id = useId();
  switch (kind) {
    case 'webhook':
      return <UrlField label={t('Address')} placeholder="https://desk.example.com/hook" />;
    case 'slack':
      return (
        <UrlField
          label={t('Address of the incoming webhook')}
          placeholder="https://hooks.slack.com/services/…"
        />
      );
    case 'discord':
      return (
        <UrlField label={t('Address of the webhook')} placeholder="https://discord.com/api/webhooks/…" />
      );
    case 'telegram':
      return (
        <>
          <TextField name="botToken" label={t('Token of the bot')} placeholder="123456:ABC…" />
          <TextField
            name="chatId"
            label={t('Id of the chat')}
            hint={t('A number, or @name of a channel; @userinfobot says yours.')}
          />
        </>
      );
    case 'email':
      return (
        <div className="field">
          <label htmlFor={id}>{t('To')}</label>
          <select id={id} name="address" className="text-input">
            {emails.map((email) => (
              <option key={email} value={email}>
                {email}
              </option>
            ))}
          </select>
        </div>
      );
    case 'push':
      return null;
  }
}

/** How the channel of a form is reached. */
export function readWay(
  data: FormData,
  kind: ChannelKind,
): Pick<NewChannel, 'url' | 'botToken' | 'chatId' | 'address'> {
  const word = (name: string) => String(data.get(name) ?? '').trim();
  if (kind === 'telegram') return { botToken: word('botToken'), chatId: word('chatId') };
  return kind === 'email' ? { address: word('address') } : { url: word('url') };
}

const UrlField = ({ label, placeholder }: { label: string; placeholder: string }) => (
  <TextField name="url" label={label} placeholder={placeholder} />
);

type TextProps = { name: string; label: string; placeholder?: string; hint?: ReactNode };

function TextField({ name, label, placeholder, hint }: TextProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        name={name}
        required
        autoComplete="off"
        spellCheck={false}
        className="text-input mono"
        placeholder={placeholder}
        aria-describedby={hint ? `${id}-hint` : undefined}
      />
      {hint ? (
        <span className="hint" id={`${id}-hint`}>
          {hint}
        </span>
      ) : null}
    </div>
  );
}
