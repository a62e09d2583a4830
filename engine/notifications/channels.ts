import { sql } from 'kysely';
import type { ChannelKind } from '../../db/entities/notification.ts';
import type { Json } from '../../db/json.ts';
import { underAccountLock } from '../platform/account-lock.ts';
import { audit } from '../platform/audit/audit.ts';
import type { Work } from '../platform/context.ts';
import { DomainError } from '../platform/errors.ts';
import type { KeyWrapper } from '../trading/connections/credentials/key-ring.ts';
import type { AddressPolicy } from './allowed-address.ts';
import { type ChannelRow, loadChannel, typedChannelRow } from './channel-row.ts';
import { channelOfKind, type SentFields } from './channels/catalogue.ts';
import { wrongField } from './channels/define-channel.ts';
import { enqueue } from './enqueue.ts';
import { insertNotifications } from './fan-out.ts';
import { type Switches, TEST_KIND } from './kinds.ts';
import type { NotificationPayload } from './message.ts';
import type { QuietHours } from './quiet-hours.ts';
import { openChannel, sealChannel } from './secrets.ts';
import { newChallenge, newSecret, type SigningSecret } from './signature.ts';

/** Limit of channels of one account. */
export const CHANNELS_MAX = 20;
/** A replaced secret still signs, in addition to the new one, for this long. */
export const SECRET_OVERLAP_MS = 24 * 60 * 60_000;
/** Limit of secrets in use at once: a receiver that is slow to change over has two older ones. */
const SECRETS_MAX = 3;

export type NewChannel = SentFields & {
  readonly kind: ChannelKind;
  readonly label: string;
  readonly switches: Switches;
  readonly quietHours: QuietHours | null;
};

/** Settings of the service that channels depend on. */
export type ChannelEnvironment = AddressPolicy & {
  readonly keys: KeyWrapper | null;
  /** Whether e-mail can be sent. */
  readonly hasMail: boolean;
};

/** `secret`: of a webhook, returned this once. */
export type CreatedChannel = { readonly row: ChannelRow; readonly secret: string | null };

/** The account's channels, oldest first. */
export async function listChannels(work: Work): Promise<ChannelRow[]> {
  const rows = await work.db
    .selectFrom('notification_channel')
    .selectAll()
    .where('account_id', '=', work.accountId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(typedChannelRow);
}

/**
 * Adds a channel, which receives notifications from the account's next event on.
 *
 * @throws DomainError `validation_failed`, `quota_exceeded`, `credentials_not_kept`, `mail_off`.
 */
export async function createChannel(
  work: Work,
  wanted: NewChannel,
  environment: ChannelEnvironment,
): Promise<CreatedChannel> {
  const { kind, label, switches, quietHours, ...fields } = wanted;
  const channel = channelOfKind(kind);
  if (channel.needs.includes('mail') && !environment.hasMail) throw DomainError.of('mail_off');
  const destination = channel.readDestination(fields, { emails: await emailsOf(work), policy: environment });
  const id = work.newId();
  const secret = channel.reader === 'program' ? newSecret() : null;
  const secrets =
    secret === null ? destination.secrets : { ...destination.secrets, signing: [{ secret, until: null }] };
  const owner = { accountId: work.accountId, channelId: id };
  const sealed = secrets === null ? {} : await sealChannel(owner, secrets, environment.keys);
  const row = await underAccountLock(work, async (tx, now) => {
    await refuseTooMany(tx);
    await beginCursor(tx);
    const created = await tx.db
      .insertInto('notification_channel')
      .values({
        account_id: tx.accountId,
        id,
        kind,
        label,
        target: destination.target,
        is_proven: channel.reader !== 'program',
        switches: JSON.stringify(switches),
        quiet_hours: quietHours === null ? null : JSON.stringify(quietHours),
        ...sealed,
        created_at: now,
        updated_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await note(tx, 'created', id, null, { kind, label, target: destination.target }, now);
    return typedChannelRow(created);
  });
  return { row, secret };
}

/** Returns the e-mail addresses of the account's users: no other address may be written to. */
export async function emailsOf({ db, accountId }: Work): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`
    select u.email from membership m join auth."user" u on u.id = m.user_id
    where m.account_id = ${accountId} order by u.email`.execute(db);
  return rows.map(({ email }) => email);
}

async function refuseTooMany(tx: Work): Promise<void> {
  const { count } = await tx.db
    .selectFrom('notification_channel')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('account_id', '=', tx.accountId)
    .executeTakeFirstOrThrow();
  if (Number(count) < CHANNELS_MAX) return;
  throw new DomainError(
    'quota_exceeded',
    `The account has ${count} channels of at most ${CHANNELS_MAX}. Remove one first.`,
  );
}

/** Starts notifications from the next event on; earlier events are not sent. Call under the account's lock. */
const beginCursor = ({ db, accountId }: Work) =>
  sql`insert into notification_cursor (account_id, seq) select id, event_seq from account where id = ${accountId}
    on conflict do nothing`.execute(db);

export type ChannelEdit = {
  readonly label?: string | undefined;
  readonly switches?: Switches | undefined;
  readonly quietHours?: QuietHours | null | undefined;
  /** Turned on again, the channel resumes with its queue. */
  readonly isOn?: boolean | undefined;
  /** For `push`: the subscription that the browser renewed. */
  readonly subscription?: SentFields['subscription'];
  /** Null: the usual body. */
  readonly bodyTemplate?: SentFields['bodyTemplate'] | null;
};

/**
 * Changes a channel; absent fields stay as they are.
 *
 * @throws DomainError `not_found`; `validation_failed` and `credentials_not_kept` for a subscription or a template.
 */
export function updateChannel(
  work: Work,
  id: string,
  edit: ChannelEdit,
  environment: ChannelEnvironment,
): Promise<ChannelRow> {
  return underAccountLock(work, async (tx, now) => {
    const before = await loadChannel(tx, id);
    const { subscription, bodyTemplate } = edit;
    const sealed = {
      ...(subscription !== undefined && (await renewedDestination(before, subscription, environment))),
      ...(bodyTemplate !== undefined && (await replacedTemplate(before, bodyTemplate, environment))),
    };
    const switches = { ...before.switches, ...edit.switches };
    const quietHours = edit.quietHours === undefined ? before.quiet_hours : edit.quietHours;
    const label = edit.label ?? before.label;
    const state =
      edit.isOn === undefined || edit.isOn === (before.state === 'on')
        ? before.state
        : edit.isOn
          ? 'on'
          : 'off';
    const isTurned = state !== before.state;
    const after = await tx.db
      .updateTable('notification_channel')
      .set({
        label,
        switches: JSON.stringify(switches),
        quiet_hours: quietHours === null ? null : JSON.stringify(quietHours),
        state,
        ...sealed,
        ...(isTurned && { state_reason: null, attempts: 0, failing_since: null }),
        ...(isTurned && {
          due_at: sql<string | null>`(select min(not_before) from notification_delivery
            where account_id = ${tx.accountId} and channel_id = ${id} and status = 'waiting')`,
        }),
        updated_at: now,
        version: sql<number>`version + 1`,
      })
      .where('account_id', '=', tx.accountId)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    const stated = ({ label, state, target }: Pick<ChannelRow, 'label' | 'state' | 'target'>) => ({
      label,
      state,
      target,
    });
    await note(
      tx,
      'changed',
      id,
      stated(before),
      {
        ...stated(after),
        ...asJson({ switches, quietHours }),
        ...(bodyTemplate !== undefined && { bodyTemplate: bodyTemplate === null ? 'removed' : 'replaced' }),
      },
      now,
    );
    return typedChannelRow(after);
  });
}

/** Returns the columns of a browser's renewed subscription. */
async function renewedDestination(
  { account_id, id, kind }: ChannelRow,
  subscription: NonNullable<SentFields['subscription']>,
  environment: ChannelEnvironment,
) {
  const { target, secrets } = channelOfKind(kind).readDestination(
    { subscription },
    { emails: [], policy: environment },
  );
  const owner = { accountId: account_id, channelId: id };
  return { target, ...(await sealChannel(owner, secrets ?? {}, environment.keys)) };
}

/** Returns the columns of the same destination with another body. */
async function replacedTemplate(
  row: ChannelRow,
  bodyTemplate: NonNullable<ChannelEdit['bodyTemplate']> | null,
  { keys }: ChannelEnvironment,
) {
  if (!('bodyTemplate' in channelOfKind(row.kind).fields))
    throw wrongField('bodyTemplate', `is not allowed for the kind ${row.kind}`);
  const owner = { accountId: row.account_id, channelId: row.id };
  const secrets = await openChannel(owner, row, keys);
  return sealChannel(owner, { ...secrets, bodyTemplate: bodyTemplate ?? undefined }, keys);
}

/** Deletes a channel with its log and its queue. @throws DomainError `not_found`. */
export function deleteChannel(work: Work, id: string): Promise<void> {
  return underAccountLock(work, async (tx, now) => {
    const { kind, label, target } = await loadChannel(tx, id);
    await tx.db
      .deleteFrom('notification_channel')
      .where('account_id', '=', tx.accountId)
      .where('id', '=', id)
      .execute();
    await note(tx, 'removed', id, { kind, label, target }, null, now);
  });
}

/**
 * Gives a webhook another secret, returned this once. Messages are signed with the earlier ones too, for a day.
 *
 * @throws DomainError `not_found`, `invalid_state` for a channel that signs nothing, `credentials_not_kept`.
 */
export function rotateSecret(work: Work, id: string, keys: KeyWrapper | null): Promise<CreatedChannel> {
  return underAccountLock(work, async (tx, now) => {
    const row = await loadChannel(tx, id);
    if (channelOfKind(row.kind).reader !== 'program')
      throw new DomainError('invalid_state', `A channel of the kind ${row.kind} has no secret to rotate.`);
    const owner = { accountId: tx.accountId, channelId: id };
    const { signing = [], ...rest } = await openChannel(owner, row, keys);
    const secret = newSecret();
    const sealed = await sealChannel(owner, { ...rest, signing: rotated(signing, secret, now) }, keys);
    const after = await tx.db
      .updateTable('notification_channel')
      .set({ ...sealed, updated_at: now, version: sql<number>`version + 1` })
      .where('account_id', '=', tx.accountId)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await note(tx, 'rotated', id, null, { overlapMs: SECRET_OVERLAP_MS }, now);
    return { row: typedChannelRow(after), secret };
  });
}

/** Returns the new secret first, then earlier ones until their overlap ends. Pure. */
export function rotated(before: readonly SigningSecret[], secret: string, now: Date): SigningSecret[] {
  const until = new Date(now.getTime() + SECRET_OVERLAP_MS).toISOString();
  const ending = before
    .map((each) => ({ ...each, until: each.until ?? until }))
    .filter((each) => new Date(each.until) > now);
  return [{ secret, until: null }, ...ending].slice(0, SECRETS_MAX);
}

/**
 * Queues a test for the channel, whatever its switches and quiet hours say. A new webhook proves itself by answering with the
 * challenge in it. Returns the delivery's id.
 */
export function testChannel(work: Work, id: string): Promise<string> {
  return underAccountLock(work, async (tx, now) => {
    const channel = await loadChannel(tx, id);
    if (channel.state !== 'on')
      throw new DomainError('invalid_state', `The channel is ${channel.state}: turn it on first.`);
    const notificationId = tx.newId();
    const payload: NotificationPayload = {
      id: notificationId,
      kind: TEST_KIND,
      mode: null,
      at: now.toISOString(),
      data: channelOfKind(channel.kind).reader === 'program' ? { challenge: newChallenge() } : {},
    };
    await insertNotifications(tx.db, tx.accountId, [payload]);
    const queued = { notificationId, notBefore: now, expiresAt: null, isReplay: false };
    const [deliveryId = ''] = await enqueue(tx.db, channel, [queued], now);
    return deliveryId;
  });
}

/** Converts to JSON: absent fields are left out. */
const asJson = (value: object) => JSON.parse(JSON.stringify(value)) as { [name: string]: Json };

const note = (
  tx: Work,
  verb: string,
  subjectId: string,
  before: Parameters<typeof audit>[1]['before'],
  after: Parameters<typeof audit>[1]['after'],
  at: Date,
) => audit(tx, { mode: null, action: `notification_channel.${verb}`, subjectId, before, after, at });
