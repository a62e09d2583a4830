import { type Message, msg, t } from '../language/language.ts';

/** One field of a venue's credentials, from its schema. */
export type CredentialField = {
  /** Its position in the request: `api.key`. */
  path: string;
  title: string;
  help: string;
  kind: 'secret' | 'text' | 'tick' | 'choice';
  /** The options of a choice: the value sent and its text. */
  options: readonly number[];
};

type Schema = Readonly<Record<string, unknown>>;

/** A text up to this length is a name; a longer one may be a key of several lines, and is hidden. */
const NAME_MAX = 200;

const TITLES: Readonly<Record<string, Message>> = {
  keyId: msg('Key ID'),
  privateKey: msg('Private key'),
  wallet: msg('Wallet'),
  signatureType: msg('Kind of wallet'),
  signingKey: msg('Signing key'),
  isSession: msg('It is the key of a session'),
  'api.key': msg('API key'),
  'api.secret': msg('API secret'),
  'api.passphrase': msg('API passphrase'),
  apiKey: msg('API key'),
  secret: msg('Secret'),
};

/** The credential fields of a venue's schema, in its order. */
export function credentialFields(schema: Schema, within = ''): CredentialField[] {
  return Object.entries(objectOf(schema['properties'])).flatMap(([name, property]) => {
    const field = objectOf(property);
    const path = `${within}${name}`;
    if (field['type'] === 'object') return credentialFields(field, `${path}.`);
    const help = typeof field['description'] === 'string' ? field['description'] : '';
    const title = TITLES[path];
    return [{ path, title: title ? t(title) : path, help, ...kindOf(field) }];
  });
}

function kindOf(field: Schema): Pick<CredentialField, 'kind' | 'options'> {
  const options = constantsOf(field);
  if (options.length > 0) return { kind: 'choice', options };
  if (field['type'] === 'boolean') return { kind: 'tick', options };
  const most = field['maxLength'];
  const isName = 'pattern' in field || (typeof most === 'number' && most <= NAME_MAX);
  return { kind: isName ? 'text' : 'secret', options };
}

function constantsOf(field: Schema): number[] {
  const listed = Array.isArray(field['enum']) ? field['enum'] : field['anyOf'];
  if (!Array.isArray(listed)) return [];
  return listed
    .map((each) => (typeof each === 'object' ? objectOf(each)['const'] : each))
    .filter((each) => typeof each === 'number');
}

const objectOf = (value: unknown): Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Schema) : {};

/** The credentials in the form that is sent. `read` gives the text of a field, or whether it is ticked. */
export function enteredCredentials(
  fields: readonly CredentialField[],
  read: (path: string) => string | boolean,
): Record<string, unknown> {
  const entered: Record<string, unknown> = {};
  for (const { path, kind } of fields) {
    const [outer = '', inner] = path.split('.');
    const value = kind === 'choice' ? Number(read(path)) : read(path);
    if (inner === undefined) entered[outer] = value;
    else entered[outer] = { ...objectOf(entered[outer]), [inner]: value };
  }
  return entered;
}
