/** Limits and notification channels of an account in files, beside its strategies: planned and applied. */
import type { Client, Inputs, Outputs } from '../client.ts';
import { textOf } from './differences.ts';
import { type Io, PlanChanged, UsageError } from './io.ts';
import { parsedJson, readFileText } from './strategy-files.ts';

type Values = Readonly<Record<string, unknown>>;
type Channel = Outputs['notifications']['list'][number];
type NewChannel = Inputs['notifications']['create'];

/** Fields that plans and answers show: none is read from the environment. */
const SHOWN = ['kind', 'label', 'on', 'switches', 'quietHours'] as const;
/** The destination of a channel and the right to write there: in no answer. */
const HIDDEN = [
  'url',
  'address',
  'botToken',
  'chatId',
  'bodyTemplate',
] as const satisfies readonly (keyof NewChannel)[];
const FIELDS: ReadonlySet<string> = new Set([...SHOWN, ...HIDDEN]);

/** Settings in a file: some risk rules, and channels by their labels. */
export type SettingsFile = { file: string; riskRules: Values | null; channels: readonly Values[] };

export type SettingsStep = {
  file: string;
  subject: string;
  action: 'create' | 'change' | 'nothing';
  differences: string[];
};

/**
 * @property planned names what will be, for the hash of the plan
 * @property apply makes it so, and returns the secret of a new webhook, or null
 */
export type PlannedSettings = {
  summary: SettingsStep;
  planned: unknown;
  apply: () => Promise<string | null>;
};

/** Reads a JSON file with `riskRules` or `channels`; null for any other file. @throws UsageError for what is neither */
export async function readSettingsFile(file: string, env: Io['env']): Promise<SettingsFile | null> {
  if (!file.endsWith('.json')) return null;
  const { riskRules, channels, ...rest } = parsedJson(await readFileText(file), file);
  if (riskRules === undefined && channels === undefined) return null;
  const [other] = Object.keys(rest);
  if (other !== undefined)
    throw new UsageError(`${file} holds "${other}" beside "riskRules" and "channels". Give it its own file.`);
  if (riskRules !== undefined && !isFields(riskRules))
    throw new UsageError(`${file}: "riskRules" is no object of rules and their values.`);
  if (channels !== undefined && !(Array.isArray(channels) && channels.every(isFields)))
    throw new UsageError(`${file}: "channels" is no list of objects.`);
  return {
    file,
    riskRules: riskRules ?? null,
    channels: (channels ?? []).map((channel: Values) => {
      refuseUnlike(channel, file);
      return fromEnvironment(channel, { file, env });
    }),
  };
}

/** A misspelt field would be ignored in a channel that exists. */
function refuseUnlike(channel: Values, file: string): void {
  const unknown = Object.keys(channel).find((field) => !FIELDS.has(field));
  if (unknown !== undefined)
    throw new UsageError(`${file}: a channel has no "${unknown}". Known: ${[...FIELDS].join(', ')}.`);
  const { on = true, switches = {} } = channel;
  if (typeof on !== 'boolean' || !isFields(switches))
    throw new UsageError(`${file}: "on" takes true or false, "switches" an object.`);
}

/** Plans what the files say. Reads only. @throws UsageError for unknown rules, and for two values of one setting. */
export async function planSettings(
  client: Client,
  files: readonly SettingsFile[],
): Promise<PlannedSettings[]> {
  const ruled = files.filter(({ riskRules }) => riskRules !== null);
  if (ruled.length > 1)
    throw new UsageError(`${ruled.map(({ file }) => file).join(' and ')} both hold risk rules. Keep one.`);
  const channelled = files.flatMap(({ file, channels }) => channels.map((channel) => ({ file, channel })));
  const known = channelled.length > 0 ? await client.notifications.list.query({}) : [];
  refuseTwins(channelled.map(({ channel }) => labelOf(channel)));
  return [
    ...(await Promise.all(ruled.map((file) => planRules(client, file)))),
    ...channelled.map(({ file, channel }) => planChannel(client, file, channel, known)),
  ];
}

async function planRules(client: Client, { file, riskRules }: SettingsFile): Promise<PlannedSettings> {
  const wanted = riskRules ?? {};
  const [{ data: six, reply }, optional] = await Promise.all([
    client.riskRules.read.queryReply({}),
    client.riskRules.readOptional.query({}),
  ]);
  const now: Values = { ...six, ...optional };
  const unknown = Object.keys(wanted).find((name) => !Object.hasOwn(now, name));
  if (unknown !== undefined)
    throw new UsageError(
      `${file}: there is no risk rule "${unknown}". Known: ${Object.keys(now).join(', ')}.`,
    );
  const wrong = Object.entries(wanted).find(
    ([name, value]) => !isLimit(value, Object.hasOwn(optional, name)),
  );
  if (wrong !== undefined)
    throw new UsageError(`${file}: "${wrong[0]}" takes a number from 0, not ${textOf(wrong[1])}.`);
  const changed = Object.entries(wanted).filter(([name, value]) => now[name] !== value);
  const changedOf = (rules: object) =>
    Object.fromEntries(changed.filter(([name]) => Object.hasOwn(rules, name)));
  return {
    summary: {
      file,
      subject: 'risk rules',
      action: changed.length > 0 ? 'change' : 'nothing',
      differences: changed.map(([name, value]) => differenceOf(name, now[name], value)),
    },
    planned: [reply.version, changed],
    apply: async () => {
      const [ofSix, ofOptional] = [changedOf(six), changedOf(optional)];
      let version = reply.version;
      // Both share a version. The second change is of the rules as the first has left them.
      if (Object.keys(ofSix).length > 0)
        ({
          reply: { version },
        } = await client.riskRules.update.mutateReply(ofSix, versionOf(version)));
      if (Object.keys(ofOptional).length > 0)
        await client.riskRules.updateOptional.mutate(ofOptional, versionOf(version));
      return null;
    },
  };
}

/** Null turns an optional rule off. */
const isLimit = (value: unknown, isOptional: boolean): boolean =>
  typeof value === 'number' ? value >= 0 : isOptional && value === null;

const versionOf = (version: number | undefined) =>
  version === undefined ? {} : { context: { expectedVersion: version } };

/** A channel is found by its label. Its address, token and template are in no answer, and are not compared. */
function planChannel(
  client: Client,
  file: string,
  channel: Values,
  all: readonly Channel[],
): PlannedSettings {
  const label = labelOf(channel);
  const [known, twin] = all.filter((each) => each.label === label);
  if (twin !== undefined)
    throw new UsageError(`The account has two channels “${label}”. Rename one, so that the file means one.`);
  const subject = `channel ${label}`;
  const { on, ...wanted } = channel;
  if (known === undefined) {
    return {
      summary: { file, subject, action: 'create', differences: [`+ ${channel['kind']}`] },
      planned: channel,
      apply: async () => {
        const now = await client.notifications.list.query({});
        if (now.some((each) => each.label === label))
          throw new PlanChanged(`The channel ${label} exists by now. Review the new plan.`);
        const { id, secret } = await client.notifications.create.mutate(wanted as NewChannel);
        if (on === false) await client.notifications.update.mutate({ id, on: false });
        return secret;
      },
    };
  }
  if (known.kind !== channel['kind'])
    throw new UsageError(
      `${file}: the channel “${label}” is of kind ${known.kind}, not ${channel['kind']}. Give this one another label.`,
    );
  const { differences, edit } = channelEdit(known, channel);
  return {
    summary: { file, subject, action: differences.length > 0 ? 'change' : 'nothing', differences },
    planned: [known.id, differences, edit],
    apply: async () => {
      await client.notifications.update.mutate({ id: known.id, ...edit });
      return null;
    },
  };
}

type Edit = Omit<Inputs['notifications']['update'], 'id'>;

function channelEdit(
  known: Channel,
  { on, quietHours, switches }: Values,
): { differences: string[]; edit: Edit } {
  const stored: Values = { ...known.switches };
  const switched = Object.entries(isFields(switches) ? switches : {}).filter(
    ([kind, value]) => stored[kind] !== value,
  );
  const isOn = known.state === 'on';
  const isTurned = typeof on === 'boolean' && on !== isOn;
  const isQuieter = quietHours !== undefined && textOf(quietHours) !== textOf(known.quietHours);
  return {
    differences: [
      ...(isTurned ? [differenceOf('on', isOn, on)] : []),
      ...(isQuieter ? [differenceOf('quietHours', known.quietHours, quietHours)] : []),
      ...switched.map(([kind, value]) => differenceOf(kind, stored[kind], value)),
    ],
    edit: {
      ...(isTurned && { on }),
      ...(isQuieter && { quietHours: quietHours as Edit['quietHours'] }),
      ...(switched.length > 0 && { switches: Object.fromEntries(switched) }),
    },
  };
}

/** `{ "env": "NAME" }` stands for a variable of the environment: addresses and tokens need not be in a file. */
function fromEnvironment(channel: Values, { file, env }: { file: string; env: Io['env'] }): Values {
  const resolved = (field: string, value: unknown): unknown => {
    if (!HIDDEN.some((each) => each === field)) return value;
    const name = isFields(value) ? value['env'] : undefined;
    if (typeof name !== 'string') return value;
    const found = Object.hasOwn(env, name) ? env[name] : undefined;
    if (!found) throw new UsageError(`${file} needs the variable ${name}, which is not set.`);
    return found;
  };
  return Object.fromEntries(Object.entries(channel).map(([field, value]) => [field, resolved(field, value)]));
}

function labelOf({ label }: Values): string {
  if (typeof label === 'string' && label.trim() !== '') return label.trim();
  throw new UsageError('Each channel of a file needs a "label": by it the channel is found again.');
}

function refuseTwins(labels: readonly string[]): void {
  const twin = labels.find((label, index) => labels.indexOf(label) !== index);
  if (twin !== undefined) throw new UsageError(`The files have two channels “${twin}”. Keep one.`);
}

const isFields = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const differenceOf = (name: string, was: unknown, is: unknown): string =>
  `~ ${name}: ${textOf(was)} -> ${textOf(is)}`;
