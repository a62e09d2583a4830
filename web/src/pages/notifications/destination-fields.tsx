import { useId } from 'react';
import type {
  ChannelKind,
  NewChannel,
  NotificationOptions,
} from '../../format/notifications/notification-words.ts';
import { CHANNEL_WORDS, type ChannelField } from '../../generated/service.ts';
import { t } from '../../language/language.ts';

type Props = { kind: ChannelKind; emails: NotificationOptions['emails'] };

/** Asks for the destination of a channel of a kind. Typed text is only in the page's own fields. */
export const DestinationFields = ({ kind, emails }: Props) =>
  CHANNEL_WORDS[kind].fields.map((field) =>
    field.name === 'address' ? (
      <OwnAddress key={field.name} {...field} emails={emails} />
    ) : (
      <TextField key={field.name} {...field} />
    ),
  );

/** Reads the destination of a channel from the form. */
export function readDestination(
  data: FormData,
  kind: ChannelKind,
): Omit<NewChannel, 'kind' | 'label' | 'switches' | 'quietHours' | 'subscription'> {
  const { fields } = CHANNEL_WORDS[kind];
  const texts = fields.map(({ name }) => [name, String(data.get(name) ?? '').trim()]);
  return Object.fromEntries(texts.filter(([, text]) => text !== ''));
}

function OwnAddress({ name, label, emails }: ChannelField & Pick<Props, 'emails'>) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{t(label)}</label>
      <select id={id} name={name} className="text-input">
        {emails.map((email) => (
          <option key={email} value={email}>
            {email}
          </option>
        ))}
      </select>
    </div>
  );
}

export function TextField({
  name,
  label,
  placeholder,
  hint,
  isOptional = false,
  isLong = false,
}: ChannelField) {
  const id = useId();
  const shared = {
    id,
    name,
    required: !isOptional,
    spellCheck: false,
    className: `text-input mono${isLong ? ' area' : ''}`,
    placeholder,
    'aria-describedby': hint ? `${id}-hint` : undefined,
  };
  return (
    <div className="field">
      <label htmlFor={id}>{t(label)}</label>
      {isLong ? <textarea {...shared} rows={4} /> : <input {...shared} autoComplete="off" />}
      {hint ? (
        <span className="hint" id={`${id}-hint`}>
          {t(hint)}
        </span>
      ) : null}
    </div>
  );
}
