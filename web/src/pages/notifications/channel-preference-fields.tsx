import { useId, useState } from 'react';
import {
  type Channel,
  type NotificationOptions,
  type QuietHours,
  SWITCH_WORDS,
} from '../../format/notifications/notification-words.ts';
import './notifications.css';
import { t, translateServed } from '../../language/language.ts';

type Props = {
  kinds: NotificationOptions['kinds'];
  /** The present values; a new channel has the defaults. */
  channel?: Pick<Channel, 'switches' | 'quietHours'> | undefined;
};

/** The notifications of a channel, and when they are sent. Read from the form when it is sent. */
export function ChannelPreferenceFields({ kinds, channel }: Props) {
  return (
    <>
      <fieldset className="choices">
        <legend className="small">{t('What it receives')}</legend>
        <ul className="switches">
          {kinds.map(({ kind, title, usual }) => (
            <SwitchField key={kind} kind={kind} title={title} value={channel?.switches[kind] ?? usual} />
          ))}
        </ul>
      </fieldset>
      <QuietFields quiet={channel?.quietHours ?? null} />
    </>
  );
}

type SwitchProps = { kind: string; title: string; value: Channel['switches'][keyof Channel['switches']] };

function SwitchField({ kind, title, value }: SwitchProps) {
  const id = useId();
  return (
    <li>
      <label htmlFor={id}>{translateServed(title)}</label>
      <select id={id} name={`switch ${kind}`} className="text-input" defaultValue={value}>
        {Object.entries(SWITCH_WORDS).map(([word, words]) => (
          <option key={word} value={word}>
            {t(words)}
          </option>
        ))}
      </select>
    </li>
  );
}

const HERE = Intl.DateTimeFormat().resolvedOptions().timeZone;
const NIGHT: QuietHours = { from: '22:00', to: '07:00', zone: HERE };

function QuietFields({ quiet }: { quiet: QuietHours | null }) {
  const id = useId();
  const [isQuiet, setIsQuiet] = useState(quiet !== null);
  const { from, to, zone } = quiet ?? NIGHT;
  const zones = [...new Set(['UTC', zone, ...Intl.supportedValuesOf('timeZone')])];
  return (
    <fieldset className="choices">
      <legend className="small">{t('Quiet hours')}</legend>
      <label className="row">
        <input
          type="checkbox"
          name="isQuiet"
          checked={isQuiet}
          onChange={(event) => setIsQuiet(event.currentTarget.checked)}
        />
        {t('Notifications wait until they end')}
      </label>
      {isQuiet ? (
        <div className="quiet-hours">
          <div className="field">
            <label htmlFor={`${id}-from`}>{t('From')}</label>
            <input
              id={`${id}-from`}
              name="quietFrom"
              type="time"
              required
              className="text-input"
              defaultValue={from}
            />
          </div>
          <div className="field">
            <label htmlFor={`${id}-to`}>{t('To')}</label>
            <input
              id={`${id}-to`}
              name="quietTo"
              type="time"
              required
              className="text-input"
              defaultValue={to}
            />
          </div>
          <div className="field">
            <label htmlFor={`${id}-zone`}>{t('Time zone')}</label>
            <select id={`${id}-zone`} name="quietZone" className="text-input" defaultValue={zone}>
              {zones.map((name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </select>
          </div>
        </div>
      ) : null}
    </fieldset>
  );
}
