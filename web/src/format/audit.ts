import { amount } from './number.ts';
import { outcomeOf } from './order.ts';
import { priceAtNamed } from './venue.ts';

/** Known actions in words; others are shown as they are named. */
const ACTIONS: Readonly<Record<string, string>> = {
  'blueprint.deleted': 'Blueprint deleted',
  'blueprint.deployed': 'Blueprint deployed',
  'blueprint.stopped': 'Blueprint stopped',
  'blueprint.failed': 'Blueprint failed',
  'blueprint.restored': 'Release restored',
  'order.approved': 'Approved',
  'order.filled': 'Filled',
  'order.denied': 'Denied',
  'market.settled': 'Settled',
  'notify.said': 'Notify',
  'order.declined': 'Declined',
  'order.cancel_requested': 'Cancel requested',
  'position.flatten_requested': 'Close of everything requested',
  'position.close_requested': 'Close requested',
  'position.settled': 'Position settled',
  'position.written_off': 'Position written off',
  'fill.fee_above_reserve': 'Fee above what was reserved',
  'fill.late': 'Late fill booked',
  'fill.unbacked': 'Sale booked beyond what was held',
  'fill.reversed': 'Trade taken back by its venue',
  'ledger.differs': 'The ledger does not agree with itself',
  'risk_rules.changed': 'Risk rules changed',
  'daily_loss.tripped': 'Daily loss limit reached',
  'drawdown.watched': 'Drawdown stop turned on',
  'drawdown.tripped': 'Drawdown stop reached',
  'order.fee_raised': 'Canceled: its venue raised the fee',
  'order.reduced': 'Close made smaller',
  'api_key.created': 'API key created',
  'api_key.revoked': 'API key revoked',
  'api_key.rotated': 'API key rotated',
  'api_key.renamed': 'API key renamed',
  'venue_connection.created': 'Connection made',
  'venue_connection.changed': 'Connection changed',
  'venue_connection.cancel_all': 'Cancel of every order of a connection requested',
  'venue_connection.all_canceled': 'Every order of a connection canceled',
  'venue_connection.orders_ended': 'Orders of a connection ended',
  'venue_difference.booked': 'Difference from a venue booked',
  'venue_difference.explained': 'Difference from a venue explained',
  'position.adjusted': 'Position adjusted to its venue',
  'cash.transfer': 'Cash brought in or taken out',
  'cash.netting': 'Both sides paid out',
  'cash.adjustment': 'Cash adjusted to its venue',
  'cash.fee_true_up': 'Fee corrected to what was charged',
  'cash.redemption': 'Winnings paid out',
  'venue_connection.unverified': 'Connection waits for its checks',
  'venue_connection.ready': 'Connection ready',
  'venue_connection.reduce_only': 'Connection without entries',
  'venue_connection.halted': 'Connection halted',
  'venue_connection.expired': 'Connection expired',
  'venue_connection.revoked': 'Connection removed',
  'user.signed_up': 'Signed up',
  'session.started': 'Signed in',
  'session.ended': 'Signed out',
  'password.changed': 'Password changed',
  'session.code_asked': 'Password entered, code asked',
  'second_factor.turned_on': 'Two-factor turned on',
  'second_factor.turned_off': 'Two-factor turned off',
  'second_factor.codes_made': 'New recovery codes made',
};

export const actionWords = (action: string): string => ACTIONS[action] ?? action.replaceAll(/[._]/g, ' ');

/** Who it was. Keys are named as their owner named them; ids made in one minute begin alike, so an id is no name. */
export function actorWords(actor: string, keyNames: ReadonlyMap<string, string> = new Map()): string {
  if (actor.startsWith('session:')) return 'you';
  if (actor.startsWith('key:')) {
    const id = actor.slice('key:'.length);
    const name = keyNames.get(id);
    return name === undefined ? `key …${id.slice(-8)}` : `key “${name}”`;
  }
  return actor === 'system' ? 'the service' : actor;
}

/** The name in what was written down before or after a change, or null; that of a connection is its label. */
export function nameIn(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null;
  if ('name' in value && typeof value.name === 'string') return value.name;
  return 'label' in value && typeof value.label === 'string' ? value.label : null;
}

type Happening = { action: string; after?: unknown };

/** What a line is about besides its subject: what was filled or denied and why, or what was said. */
export function happeningWords(
  { action, after }: Happening,
  reasonWords: (reason: string) => string,
): string | null {
  if (typeof after !== 'object' || after === null) return null;
  const facts = new Map(Object.entries(after));
  const text = (name: string) => {
    const value = facts.get(name);
    return typeof value === 'string' ? value : '';
  };
  if (action === 'notify.said') return `“${text('text')}”`;
  if (!/^(order\.(approved|filled|denied)|market\.settled)$/.test(action)) return null;
  const tokenId = text('tokenId');
  // Approvals of before this was written down.
  if (tokenId === '') return null;
  const price = priceAtNamed(text('venue'), Number(text('price')));
  const what = `${text('side')} ${amount(Number(text('amount')))} ${outcomeOf(tokenId)} ${text('title')} at ${price}`;
  const reason = text('reason');
  return `${what.replaceAll('  ', ' ')}${reason === '' ? '' : `: ${reasonWords(reason)}`}`;
}
