import type { Outputs } from '../../api/trpc.ts';
import { type Message, msg, t } from '../../language/language.ts';
import { amount, usd } from '../number.ts';

export type Difference = Outputs['venueConnections']['differences'][number];
type Kind = Difference['kind'];

/** Title and help for each kind of difference. */
const KINDS: Readonly<Record<Kind, { title: Message; help: Message }>> = {
  in_flight: { title: msg('On its way'), help: msg('An order is being filled. This passes without action.') },
  lag: {
    title: msg('Not sent yet'),
    help: msg('The venue reports it a moment later. This passes without action.'),
  },
  external_order: {
    title: msg('An order from outside'),
    help: msg('Placed on this account without this service. It is left alone.'),
  },
  external_fill: {
    title: msg('A trade from outside'),
    help: msg('Made on this account without this service. Book it where it moved what the books hold.'),
  },
  transfer: { title: msg('Deposits and withdrawals'), help: msg('A deposit or a withdrawal at the venue.') },
  fee: { title: msg('Another fee'), help: msg('The venue charged another fee than was booked.') },
  unredeemed: {
    title: msg('Won and not paid out'),
    help: msg('The market is settled; the payout is still to be claimed.'),
  },
  netting: {
    title: msg('Both sides paid out'),
    help: msg('The venue paid yes and no of one question out against each other.'),
  },
  unexplained: {
    title: msg('Not explained'),
    help: msg('None of the known reasons. Nothing enters until it is resolved.'),
  },
};

const STATES: Readonly<Record<Difference['state'], Message>> = {
  open: msg('open'),
  gone: msg('gone without action'),
  booked: msg('booked'),
  explained: msg('explained'),
};

export const differenceTitle = ({ kind }: Difference): string => t(KINDS[kind].title);
export const differenceHelp = ({ kind }: Difference): string => t(KINDS[kind].help);
export const differenceState = ({ state }: Difference): string => t(STATES[state]);

const CASH = 'cash:';

/** The subject of a difference: `Cash (USD)`, an order or a trade with its terms, or the venue's id. */
export function differenceSubject({ subject, tokenId, side, price }: Difference): string {
  if (subject.startsWith(CASH)) return t('Cash ({cash})', { cash: subject.slice(CASH.length) });
  if (side === null || price === null) return subject;
  return t('{side, select, buy {buy} other {sell}} {tokenId} at {price}, {subject}', {
    side,
    tokenId: tokenId ?? '',
    price: usd(price),
    subject,
  });
}

/** The value on one side, in dollars if it is cash. */
export const differenceAmount = ({ subject }: Difference, value: number | null): string =>
  subject.startsWith(CASH) ? usd(value) : amount(value);

export const isOpen = ({ state }: Difference): boolean => state === 'open';
/** Whether a person can resolve it: differences that pass without action are waited for. */
export const canResolve = (difference: Difference): boolean =>
  isOpen(difference) && difference.kind !== 'in_flight' && difference.kind !== 'lag';
