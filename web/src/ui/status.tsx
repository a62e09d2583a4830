import {
  Ban,
  Check,
  CircleDashed,
  CircleDot,
  Clock,
  Hourglass,
  type LucideIcon,
  OctagonX,
  Pause,
  Play,
  Send,
  TriangleAlert,
  X,
} from 'lucide-react';
import type { Outputs } from '../api/trpc.ts';
import { signedShare, signedUsd } from '../format/number.ts';
import type { ConnectionState } from '../format/trading/connection.ts';
import { type Message, msg, t } from '../language/language.ts';

export type Tone = 'ok' | 'bad' | 'warn' | 'info' | 'idle';
export type StatusStyle = { word: Message; tone: Tone; icon: LucideIcon };

export type OrderStatus = Outputs['orders']['list'][number]['status'];
export type BlueprintStatus = Outputs['console']['blueprints'][number]['status'];

const ORDER: Record<OrderStatus, StatusStyle> = {
  denied: { word: msg('Denied'), tone: 'bad', icon: Ban },
  pending: { word: msg('Awaiting approval'), tone: 'warn', icon: Hourglass },
  queued: { word: msg('Queued'), tone: 'info', icon: Clock },
  submitted: { word: msg('Submitted'), tone: 'info', icon: Send },
  unknown: { word: msg('Being checked'), tone: 'warn', icon: TriangleAlert },
  open: { word: msg('Resting'), tone: 'info', icon: CircleDot },
  partially_filled: { word: msg('Partly filled'), tone: 'info', icon: CircleDot },
  filled: { word: msg('Filled'), tone: 'ok', icon: Check },
  canceled: { word: msg('Canceled'), tone: 'idle', icon: X },
  expired: { word: msg('Expired'), tone: 'idle', icon: Clock },
  declined: { word: msg('Rejected by you'), tone: 'idle', icon: X },
  rejected: { word: msg('Rejected by venue'), tone: 'bad', icon: Ban },
};

const BLUEPRINT: Record<BlueprintStatus, StatusStyle> = {
  draft: { word: msg('Draft'), tone: 'idle', icon: CircleDashed },
  running: { word: msg('Running'), tone: 'ok', icon: Play },
  stopped: { word: msg('Stopped'), tone: 'idle', icon: Pause },
  error: { word: msg('Error'), tone: 'bad', icon: TriangleAlert },
};

export const ORDER_STATUSES = Object.keys(ORDER) as OrderStatus[];
export const orderStatusWords = (status: OrderStatus): string => t(ORDER[status].word);

const CONNECTION: Record<ConnectionState, StatusStyle> = {
  unverified: { word: msg('Not verified'), tone: 'warn', icon: CircleDashed },
  ready: { word: msg('Ready'), tone: 'ok', icon: Check },
  reduce_only: { word: msg('No entries'), tone: 'warn', icon: TriangleAlert },
  halted: { word: msg('Halted'), tone: 'bad', icon: OctagonX },
  expired: { word: msg('Expired'), tone: 'bad', icon: Clock },
  revoked: { word: msg('Removed'), tone: 'idle', icon: X },
};

/** A state is a word, a shape and a colour: each of them is enough to read it. */
export function StatusMark({ statusStyle }: { statusStyle: StatusStyle }) {
  const { word, tone, icon: Icon } = statusStyle;
  return (
    <span className={`status ${tone}`}>
      <Icon size={14} aria-hidden />
      {t(word)}
    </span>
  );
}

export const OrderStatusMark = ({ status }: { status: OrderStatus }) => (
  <StatusMark statusStyle={ORDER[status]} />
);
export const blueprintStatusWords = (status: BlueprintStatus): string => t(BLUEPRINT[status].word);

export const BlueprintStatusMark = ({ status }: { status: BlueprintStatus }) => (
  <StatusMark statusStyle={BLUEPRINT[status]} />
);

export const ConnectionStateMark = ({ state }: { state: ConnectionState }) => (
  <StatusMark statusStyle={CONNECTION[state]} />
);

type PnlProps = {
  value: number | null | undefined;
  /** The sum that it was made on, for its share. */
  on?: number;
};

/** A lesser share would be written as 0. */
const LEAST_SHARE = 0.000_05;

/** Profit or loss: sign, arrow and colour. */
export function Pnl({ value, on = 0 }: PnlProps) {
  if (value === null || value === undefined) return <span className="dim">—</span>;
  const sign = Math.sign(value);
  const share = on > 0 && Math.abs(value / on) >= LEAST_SHARE ? value / on : 0;
  if (sign === 0) return <span>{signedUsd(value)}</span>;
  return (
    <span className={sign > 0 ? 'up' : 'down'}>
      {signedUsd(value)} {share === 0 ? null : `(${signedShare(share)}) `}
      <span className="arrow" aria-hidden>
        {sign > 0 ? '▲' : '▼'}
      </span>
    </span>
  );
}

type MeterProps = {
  used: number | null;
  limit: number;
  label: string;
  /** Colour warns near a limit; a share of a whole has no colour. */
  isLimit?: boolean;
};

/** A bar beside a number of the same value: a picture of it, not another source. */
export function Meter({ used, limit, label, isLimit = true }: MeterProps) {
  const part = used === null ? 0 : limit <= 0 ? (used > 0 ? 1 : 0) : Math.min(1, Math.max(0, used / limit));
  const tone = !isLimit || part < 0.8 ? '' : part < 1 ? 'warn' : 'bad';
  return (
    <div className={`meter ${tone}`} title={label}>
      <i style={{ width: `${part * 100}%` }} />
    </div>
  );
}
