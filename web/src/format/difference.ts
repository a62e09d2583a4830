import type { Outputs } from '../api/trpc.ts';
import { amount, usd } from './number.ts';

export type Difference = Outputs['venueConnections']['differences'][number];
type Kind = Difference['kind'];

/** What a difference of each kind is, and what to make of it. */
const KINDS: Readonly<Record<Kind, { title: string; help: string }>> = {
  in_flight: { title: 'On its way', help: 'An order is just being filled. It passes by itself.' },
  lag: { title: 'Not told yet', help: 'The venue tells of it a moment later. It passes by itself.' },
  external_order: {
    title: 'An order of somebody else',
    help: 'Placed on this account without this service. It is left alone.',
  },
  external_fill: {
    title: 'A trade of somebody else',
    help: 'Made on this account without this service. Book it where it moved what the books hold.',
  },
  transfer: { title: 'Money moved in or out', help: 'A deposit or a withdrawal at the venue.' },
  fee: { title: 'Another fee', help: 'The venue charged another fee than was booked.' },
  unredeemed: {
    title: 'Won and not paid out',
    help: 'The market is settled; the payout is still to be claimed.',
  },
  netting: {
    title: 'Both sides paid out',
    help: 'The venue paid yes and no of one question out against each other.',
  },
  unexplained: {
    title: 'Not explained',
    help: 'None of the known reasons. Nothing enters until it is resolved.',
  },
};

const STATES: Readonly<Record<Difference['state'], string>> = {
  open: 'open',
  gone: 'gone by itself',
  booked: 'booked',
  explained: 'explained',
};

export const differenceTitle = ({ kind }: Difference): string => KINDS[kind].title;
export const differenceHelp = ({ kind }: Difference): string => KINDS[kind].help;
export const differenceState = ({ state }: Difference): string => STATES[state];

const CASH = 'cash:';

/** What it is about: `Cash (USD)`, or as the venue names it. */
export const differenceSubject = ({ subject }: Difference): string =>
  subject.startsWith(CASH) ? `Cash (${subject.slice(CASH.length)})` : subject;

/** What one side says of it, in dollars where it is about cash. */
export const differenceAmount = ({ subject }: Difference, value: number | null): string =>
  subject.startsWith(CASH) ? usd(value) : amount(value);

export const isOpen = ({ state }: Difference): boolean => state === 'open';
/** Whether a person has a say about it: what passes by itself is waited for. */
export const canResolve = (difference: Difference): boolean =>
  isOpen(difference) && difference.kind !== 'in_flight' && difference.kind !== 'lag';
