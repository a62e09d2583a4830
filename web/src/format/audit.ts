/** Known actions in words; others are shown as they are named. */
const ACTIONS: Readonly<Record<string, string>> = {
  'blueprint.deleted': 'Blueprint deleted',
  'blueprint.deployed': 'Blueprint deployed',
  'blueprint.stopped': 'Blueprint stopped',
  'blueprint.failed': 'Blueprint failed',
  'blueprint.restored': 'Release restored',
  'order.approved': 'Order approved',
  'order.declined': 'Order declined',
  'order.cancel_requested': 'Cancel requested',
  'position.close_requested': 'Close requested',
  'position.settled': 'Position settled',
  'fill.late': 'Late fill booked',
  'fill.unbacked': 'Sale booked beyond what was held',
  'risk_rules.changed': 'Risk rules changed',
  'daily_loss.tripped': 'Daily loss limit reached',
  'order.reduced': 'Close made smaller',
  'api_key.created': 'API key created',
  'api_key.revoked': 'API key revoked',
  'api_key.rotated': 'API key rotated',
  'user.signed_up': 'Signed up',
  'session.started': 'Signed in',
  'session.ended': 'Signed out',
  'password.changed': 'Password changed',
};

export const actionWords = (action: string): string => ACTIONS[action] ?? action.replaceAll(/[._]/g, ' ');

export function actorWords(actor: string): string {
  if (actor.startsWith('session:')) return 'you';
  if (actor.startsWith('key:')) return `key ${actor.slice(4, 12)}`;
  return actor === 'system' ? 'the service' : actor;
}

/** The name in what was written down before or after a change, or null. */
export const nameIn = (value: unknown): string | null =>
  typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string'
    ? value.name
    : null;
