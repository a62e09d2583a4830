/** Kinds of notifications, in the order of lists. */
export const NOTIFICATION_KINDS = [
  'order.pending',
  'order.filled',
  'order.denied',
  'order.rejected',
  'blueprint.error',
  'blueprint.said',
  'blueprint.warning',
  'blueprint.critical',
  'rule.near_limit',
  'rule.reached',
  'connection.changed',
  'key.expiring',
  'summary.daily',
  'channel.disabled',
] as const;
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

/** A test message that a user requested. No switch turns it off. */
export const TEST_KIND = 'test';
export type SentKind = NotificationKind | typeof TEST_KIND;

/** `always`: in quiet hours too. */
export const SWITCHES = ['off', 'on', 'always'] as const;
export type Switch = (typeof SWITCHES)[number];
export type Switches = { readonly [Kind in NotificationKind]?: Switch | undefined };

type About = {
  /** Shown to the user who chooses. */
  readonly title: string;
  /** The default. */
  readonly usual: Switch;
};

export const KINDS: { readonly [Kind in NotificationKind]: About } = {
  'order.pending': { title: 'An order waits for approval', usual: 'always' },
  'order.filled': { title: 'An order was filled', usual: 'on' },
  'order.denied': { title: 'A rule denied an order', usual: 'on' },
  'order.rejected': { title: 'A venue rejected an order', usual: 'on' },
  'blueprint.error': { title: 'A strategy stopped in error', usual: 'always' },
  'blueprint.said': { title: 'A Notify step said something', usual: 'on' },
  'blueprint.warning': { title: 'A Notify step warned', usual: 'on' },
  'blueprint.critical': { title: 'A Notify step said something critical', usual: 'always' },
  'rule.near_limit': { title: '80 % of a limit is used', usual: 'on' },
  'rule.reached': { title: 'A limit is reached', usual: 'always' },
  'connection.changed': { title: 'A connection changed its state', usual: 'always' },
  'key.expiring': { title: 'An API key expires soon', usual: 'on' },
  'summary.daily': { title: 'Summary of the day', usual: 'on' },
  'channel.disabled': { title: 'Another channel was disabled', usual: 'always' },
};

export const switchOf = (switches: Switches, kind: NotificationKind): Switch =>
  switches[kind] ?? KINDS[kind].usual;
