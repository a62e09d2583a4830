/** Defines a kind of channel: its destination, the part of it that may be shown, and how a notification is written for it. */

import { z } from 'zod';
import type { ChannelKind } from '../../../db/entities/notification.ts';
import { invalid } from '../../platform/errors.ts';
import { type AddressPolicy, urlProblem } from '../allowed-address.ts';
import type { Message, messageOf } from '../message.ts';
import type { PushKeys } from '../push-key.ts';
import type { ChannelSecrets } from '../secrets.ts';

/** `target`: the part of the destination that may be shown. */
export type Destination = { readonly target: string; readonly secrets: ChannelSecrets | null };

/** `emails`: the addresses that the account's users sign in with. */
export type DestinationRules = { readonly emails: readonly string[]; readonly policy: AddressPolicy };

export type HttpRequest = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
};

export type Mail = { readonly subject: string; readonly text: string; readonly html: string };

/** A notification as stored. */
export type Notification = Parameters<typeof messageOf>[0];

/** One notification with the inputs for writing it. `pushKeys`: null if the service has no keys to seal its own with. */
export type Outgoing = {
  readonly notification: Notification;
  readonly message: Message;
  readonly secrets: ChannelSecrets;
  readonly publicUrl: string;
  readonly pushKeys: PushKeys | null;
  readonly now: Date;
};

/** `gone`: the receiver no longer exists. `refused`: it refuses this message, but may accept others. */
export type Verdict = 'delivered' | 'retry' | 'gone' | 'refused';

/** Required of the service itself: a mail server, keys to seal addresses with, a key for push services. */
export type ServiceNeed = 'mail' | 'keys' | 'pushKey';

/** A field of the console's form. The name `address` is one of the account's own addresses. */
export type FormField = {
  readonly name: string;
  readonly label: string;
  readonly placeholder?: string;
  readonly hint?: string;
  readonly isLong?: true;
};

type Definition<Kind extends ChannelKind, Fields extends z.core.$ZodLooseShape> = {
  readonly kind: Kind;
  readonly title: string;
  /** Tells a user where its destination is found. */
  readonly help: string;
  /** No fields if no form adds it. */
  readonly form: readonly FormField[];
  /** A program receives every notification, signed; a person only those still of use. */
  readonly reader: 'program' | 'person';
  readonly needs: readonly ServiceNeed[];
  /** The fields of its destination, required unless optional by their schema. */
  readonly fields: Fields;
  readonly destination: (
    sent: z.output<z.ZodObject<Fields, z.core.$strict>>,
    rules: DestinationRules,
  ) => Destination;
  /** Returns a request or a mail, or says why neither can be written. */
  readonly write: (outgoing: Outgoing) => HttpRequest | Mail | string;
  readonly verdict: (status: number) => Verdict;
  /** Whether a refusal is about the message, and not about the sender or the address. */
  readonly isOfContent: (status: number) => boolean;
};

export type Channel<
  Kind extends ChannelKind = ChannelKind,
  Fields extends z.core.$ZodLooseShape = z.core.$ZodLooseShape,
> = Omit<Definition<Kind, Fields>, 'destination'> & {
  /** @throws DomainError `validation_failed` if a field is missing, wrong, or belongs to another kind. */
  readonly readDestination: (sent: object, rules: DestinationRules) => Destination;
};

export function defineChannel<const Kind extends ChannelKind, Fields extends z.core.$ZodLooseShape>({
  destination,
  ...channel
}: Definition<Kind, Fields>): Channel<Kind, Fields> {
  const fields = z.strictObject(channel.fields);
  return {
    ...channel,
    readDestination(sent, rules) {
      const given = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined));
      for (const name of Object.keys(given))
        if (!(name in channel.fields)) throw wrongField(name, `is not allowed for the kind ${channel.kind}`);
      for (const name of Object.keys(channel.fields))
        if (!(name in given) && isNeeded(channel.fields, name))
          throw wrongField(name, `is needed for the kind ${channel.kind}`);
      const read = fields.safeParse(given);
      if (read.success) return destination(read.data, rules);
      throw wrongField(read.error.issues[0]?.path.join('/') ?? '', read.error.issues[0]?.message ?? '');
    },
  };
}

export const isNeeded = (fields: z.core.$ZodLooseShape, name: string): boolean =>
  !z.safeParse(fields[name], undefined).success;

export const wrongField = (path: string, message: string) =>
  invalid([{ path: `/${path}`, code: 'custom', message }]);

export const JSON_HEADERS = { 'content-type': 'application/json', 'user-agent': 'trading-strategy-service' };

/** An address in the field `url`; `checkUrl` says whether the service may send there. */
export const url = z.string().max(2_000);

/** @throws DomainError `validation_failed` for the field `name`. */
export function checkUrl(
  address: string,
  { policy }: DestinationRules,
  name = 'url',
  hosts?: readonly string[],
): string {
  const problem = urlProblem(address, policy, hosts);
  if (problem !== null) throw wrongField(name, problem);
  return address;
}

export const token = (max: number) =>
  z
    .string()
    .regex(new RegExp(`^[A-Za-z0-9_:@=+/-]{1,${max}}$`), { error: 'holds other characters than tokens do' });

const HINT_LENGTH = 4;
/** Returns enough of an address to tell two apart, too little to send to it. */
export const hintOf = (address: string): string =>
  `${new URL(address).host.slice(0, 200)}/…${address.slice(-HINT_LENGTH)}`;

/** Temporary refusals: a timeout, a conflict, too early, too many requests. */
const PASSING: ReadonlySet<number> = new Set([408, 409, 425, 429]);
const OF_CONTENT: ReadonlySet<number> = new Set([400, 413, 422]);

/** Interprets answers by their HTTP status. 410 ends the channel, as in Standard Webhooks. */
export const httpAnswers = (gone: readonly number[] = [410]): Pick<Channel, 'verdict' | 'isOfContent'> => ({
  verdict(status) {
    if (status >= 200 && status < 300) return 'delivered';
    if (gone.includes(status)) return 'gone';
    return status >= 400 && status < 500 && !PASSING.has(status) ? 'refused' : 'retry';
  },
  isOfContent: (status) => OF_CONTENT.has(status),
});

/** A chat that takes posts at an address of its own hosts. Another address would have to prove itself, as a webhook does. */
export const defineChat = <const Kind extends ChannelKind>({
  hosts,
  bodyOf,
  label,
  placeholder,
  ...chat
}: Pick<Definition<Kind, object>, 'kind' | 'title' | 'help'> &
  Required<Pick<FormField, 'label' | 'placeholder'>> & {
    readonly hosts: readonly string[];
    readonly bodyOf: (message: Message) => string;
  }) =>
  defineChannel({
    ...chat,
    form: [{ name: 'url', label, placeholder }],
    reader: 'person',
    needs: ['keys'],
    fields: { url },
    destination: (sent, rules) => {
      const address = checkUrl(sent.url, rules, 'url', hosts);
      return { target: hintOf(address), secrets: { url: address } };
    },
    write: ({ message, secrets }) => ({
      url: secrets.url ?? '',
      headers: JSON_HEADERS,
      body: bodyOf(message),
    }),
    ...httpAnswers(),
  });
