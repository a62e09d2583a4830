import { type Message, msg, t } from '../../language/language.ts';
import { amount } from '../number.ts';
import { outcomeOf, sideWords } from './order.ts';
import { priceAtNamed } from './venue.ts';

/** Known actions in words; others keep their names. */
const ACTIONS: Readonly<Record<string, Message>> = {
  'blueprint.deleted': msg('Strategy deleted'),
  'blueprint.deployed': msg('Strategy deployed'),
  'blueprint.stopped': msg('Strategy stopped'),
  'blueprint.failed': msg('Strategy failed'),
  'blueprint.restored': msg('Release restored'),
  'blueprint.members_changed': msg('Markets of a series changed'),
  'blueprint.members_kept': msg('Markets of a series stay as they are'),
  'blueprint.shared': msg('Link made'),
  'blueprint.unshared': msg('Link revoked'),
  'order.requested': msg('Ordered by hand'),
  'order.approved': msg('Approved'),
  'order.filled': msg('Filled'),
  'order.denied': msg('Denied'),
  'market.settled': msg('Settled'),
  'notify.said': msg('Notify'),
  'order.declined': msg('Rejected'),
  'order.cancel_requested': msg('Cancel requested'),
  'position.flatten_requested': msg('Close of everything requested'),
  'position.close_requested': msg('Close requested'),
  'position.settled': msg('Position settled'),
  'position.written_off': msg('Position written off'),
  'fill.fee_above_reserve': msg('Fee above what was reserved'),
  'fill.late': msg('Late fill booked'),
  'fill.unbacked': msg('Sale booked beyond what was held'),
  'fill.reversed': msg('Trade taken back by its venue'),
  'ledger.differs': msg('The ledger does not agree with itself'),
  'risk_rules.changed': msg('Risk rules changed'),
  'daily_loss.tripped': msg('Daily loss limit reached'),
  'drawdown.watched': msg('Drawdown stop turned on'),
  'drawdown.tripped': msg('Drawdown stop reached'),
  'order.fee_raised': msg('Canceled: its venue raised the fee'),
  'order.reduced': msg('Close made smaller'),
  'api_key.created': msg('API key created'),
  'api_key.revoked': msg('API key revoked'),
  'api_key.rotated': msg('API key rotated'),
  'api_key.renamed': msg('API key renamed'),
  'venue_connection.created': msg('Connection made'),
  'venue_connection.changed': msg('Connection changed'),
  'venue_connection.cancel_all': msg('Cancel of every order of a connection requested'),
  'venue_connection.all_canceled': msg('Every order of a connection canceled'),
  'venue_connection.orders_ended': msg('Orders of a connection ended'),
  'venue_difference.booked': msg('Difference from a venue booked'),
  'venue_difference.explained': msg('Difference from a venue explained'),
  'position.adjusted': msg('Position adjusted to its venue'),
  'cash.transfer': msg('Deposits and withdrawals'),
  'cash.netting': msg('Both sides paid out'),
  'cash.adjustment': msg('Cash adjusted to its venue'),
  'cash.fee_true_up': msg('Fee corrected to what was charged'),
  'cash.redemption': msg('Winnings paid out'),
  'notification_channel.created': msg('Channel made'),
  'notification_channel.changed': msg('Channel changed'),
  'notification_channel.rotated': msg('New secret of a channel'),
  'notification_channel.removed': msg('Channel removed'),
  'notification_channel.disabled': msg('Channel turned off: it does not arrive'),
  'signal.created': msg('Signal added'),
  'signal.changed': msg('Signal changed'),
  'signal.set': msg('Signal set by hand'),
  'signal.rotated': msg('New token of a signal'),
  'signal.removed': msg('Signal removed'),
  'signal.token_ended': msg('Token of a signal ended with its key'),
  'venue_connection.unverified': msg('Connection waits for its checks'),
  'venue_connection.ready': msg('Connection ready'),
  'venue_connection.reduce_only': msg('Connection without entries'),
  'venue_connection.halted': msg('Connection halted'),
  'venue_connection.expired': msg('Connection expired'),
  'venue_connection.revoked': msg('Connection removed'),
  'user.signed_up': msg('Signed up'),
  'session.started': msg('Signed in'),
  'session.ended': msg('Signed out'),
  'password.changed': msg('Password changed'),
  'session.code_asked': msg('Password entered, code asked'),
  'second_factor.turned_on': msg('Two-factor turned on'),
  'second_factor.turned_off': msg('Two-factor turned off'),
  'second_factor.codes_made': msg('New recovery codes made'),
  'passkey.added': msg('Passkey added'),
  'passkey.removed': msg('Passkey removed'),
  'account.suspended': msg('Account suspended'),
  'account.resumed': msg('Account active again'),
  'account.limits_set': msg('Limits of the account changed'),
  'session.ended_by_operator': msg('All sessions ended by an operator'),
  'operator.granted': msg('Made an operator'),
  'operator.revoked': msg('Operator rights removed'),
  'operator.requested': msg('Asked for as an operator'),
};

/** Requests of operators. */
const ACTS: Readonly<Record<string, Message>> = {
  suspend: msg('suspension'),
  resume: msg('end of a suspension'),
  'end sessions': msg('end of all sessions'),
  'set limits': msg('other limits'),
  drain: msg('drain of a process'),
  'end drain': msg('end of a drain'),
};

export function actionWords(action: string): string {
  const known = ACTIONS[action];
  return known ? t(known) : action.replaceAll(/[._]/g, ' ');
}

/** The actor. Keys have their owner's names; ids made in one minute begin alike, so an id is no name. */
export function actorWords(actor: string, keyNames: ReadonlyMap<string, string> = new Map()): string {
  if (actor.startsWith('session:')) return t('you');
  if (actor.startsWith('operator:')) return t('an operator');
  if (actor.startsWith('key:')) {
    const id = actor.slice('key:'.length);
    const name = keyNames.get(id);
    return name === undefined ? t('key …{value}', { value: id.slice(-8) }) : t('key “{name}”', { name });
  }
  return actor === 'system' ? t('the service') : actor;
}

/** A text in a recorded value, or null. */
function textIn(value: unknown, field: string): string | null {
  const found = (Object(value) as Readonly<Record<string, unknown>>)[field];
  return typeof found === 'string' ? found : null;
}

/** The name in the recorded value before or after a change, or null; a connection has its label. */
export const nameIn = (value: unknown): string | null => textIn(value, 'name') ?? textIn(value, 'label');

/** The strategy that an order or a fill was of, or null. */
export const strategyIn = (value: unknown): string | null => textIn(value, 'blueprintId');

type Happening = { action: string; after?: unknown };

const SEVERITY_WORDS: Readonly<Record<string, Message>> = {
  warning: msg('Warning'),
  critical: msg('Critical'),
};

/** The details of an entry, in addition to its subject: the fill, the denial and its reason, or the message. */
export function entryDetails(
  { action, after }: Happening,
  reasonWords: (reason: string) => string,
): string | null {
  const text = (field: string) => textIn(after, field) ?? '';
  if (action === 'blueprint.members_kept') return reasonWords(text('reason'));
  if (action === 'notify.said') {
    const said = t('“{said}”', { said: text('text') });
    const severity = SEVERITY_WORDS[text('severity')];
    return severity ? `${t(severity)}: ${said}` : said;
  }
  if (/^(account\.|operator\.requested|session\.ended_by)/.test(action)) {
    const act = ACTS[text('act')];
    return [act ? t(act) : '', text('reason')].filter((word) => word !== '').join(': ') || null;
  }
  if (!/^(order\.(requested|approved|filled|denied)|market\.settled)$/.test(action)) return null;
  const tokenId = text('tokenId');
  // An approval from before the token id was recorded.
  if (tokenId === '') return null;
  const price = priceAtNamed(text('venue'), Number(text('price')));
  const what = t('{side} {amount} {what} at {price}', {
    side: sideWords(text('side')),
    amount: amount(Number(text('amount'))),
    what: `${outcomeOf(tokenId)} ${text('title')}`.trim(),
    price,
  });
  const reason = text('reason');
  return `${what.replaceAll('  ', ' ')}${reason === '' ? '' : `: ${reasonWords(reason)}`}`;
}
