import { useId } from 'react';
import type { Outputs } from '../../api/trpc.ts';
import {
  type CredentialField,
  credentialFields,
  enteredCredentials,
} from '../../format/credential-fields.ts';
import { type Message, msg, t } from '../../language/language.ts';

type Connecting = Outputs['console']['connecting'];
export type VenueAccess = Connecting['venues'][number];

/** The password's field, beside those of the credentials. */
const PASSWORD = 'password';

/**
 * The fields of a venue's credentials. Typed secrets are only in the page's own fields, which go with the dialog: no state, no
 * cache and no storage of this program ever holds them.
 */
export function CredentialsFields({ access }: { access: VenueAccess }) {
  return (
    <fieldset className="choices">
      <legend className="small legend">{t('Credentials, as the venue shows them')}</legend>
      {credentialFields(access.credentials).map((field) => (
        <Entry key={`${access.venue} ${field.path}`} field={field} />
      ))}
    </fieldset>
  );
}

const WALLETS: Readonly<Record<number, Message>> = {
  3: msg('A deposit wallet'),
  0: msg('The account of the key itself (demo only)'),
};

function Entry({ field: { path, title, help, kind, options } }: { field: CredentialField }) {
  const id = useId();
  const shared = { id, name: path, autoComplete: 'off', spellCheck: false } as const;
  if (kind === 'tick') {
    return (
      <label className="row">
        <input type="checkbox" name={path} defaultChecked />
        {title}
      </label>
    );
  }
  return (
    <div className="field">
      <label htmlFor={id}>{title}</label>
      {kind === 'choice' ? (
        <select {...shared} className="text-input" defaultValue={Math.max(...options)}>
          {options.map((option) => (
            <option key={option} value={option}>
              {t(WALLETS[option] ?? String(option))}
            </option>
          ))}
        </select>
      ) : null}
      {kind === 'text' ? <input {...shared} required className="text-input mono" /> : null}
      {kind === 'secret' ? (
        <textarea {...shared} required rows={1} className="text-input secret-entry" />
      ) : null}
      {help ? <span className="hint">{help}</span> : null}
    </div>
  );
}

export function PasswordField() {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{t('Your password, once more')}</label>
      <input
        id={id}
        name={PASSWORD}
        type="password"
        required
        className="text-input"
        autoComplete="current-password"
      />
      <span className="hint">
        {t('Your password for this service: a session alone cannot set credentials.')}
      </span>
    </div>
  );
}

/** The values of the fields at the moment they are sent. */
export function readSecrets(form: HTMLFormElement, access: VenueAccess) {
  const typed = new FormData(form);
  const text = (name: string) => String(typed.get(name) ?? '');
  const fields = credentialFields(access.credentials);
  const ticks = new Set(fields.filter(({ kind }) => kind === 'tick').map(({ path }) => path));
  return {
    credentials: enteredCredentials(fields, (path) =>
      ticks.has(path) ? typed.get(path) !== null : text(path),
    ),
    password: text(PASSWORD),
  };
}

/** Fills in the credentials of a simulated venue's member; they are worth nothing outside the simulator. */
export function fillIn(form: HTMLFormElement | null, credentials: unknown): void {
  for (const [path, value] of leavesOf(credentials)) {
    const field = form?.elements.namedItem(path);
    if (field instanceof HTMLInputElement && field.type === 'checkbox') field.checked = value === true;
    else if (isTyped(field)) field.value = String(value);
  }
}

const isTyped = (field: unknown): field is HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement =>
  field instanceof HTMLInputElement ||
  field instanceof HTMLTextAreaElement ||
  field instanceof HTMLSelectElement;

const leavesOf = (value: unknown, path = ''): [string, unknown][] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, each]) => leavesOf(each, path === '' ? name : `${path}.${name}`))
    : [[path, value]];

/** The password is asked for each time; refused values stay in their fields, to be corrected. */
export function clearPassword(form: HTMLFormElement | null): void {
  const field = form?.elements.namedItem(PASSWORD);
  if (field instanceof HTMLInputElement) field.value = '';
}
