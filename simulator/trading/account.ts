/** An account at a simulated venue: its balances, and every entry behind them. */
import { Decimal } from 'decimal.js';

/** The separate environments of a venue: keys and money of one are unknown in the others. */
export type Environment = 'demo' | 'testnet' | 'live';

/** A key of an account, as its venue knows it. */
export type Key = {
  readonly id: string;
  /** Verifies its signatures: a public key in PEM, or a shared secret. */
  readonly material: string;
  readonly scopes: readonly string[];
  /** Epoch ms of the venue's clock from which the key is refused; null: never. */
  readonly expiresMs: number | null;
  /** Data that only its venue uses, such as a passphrase or the end of an attestation. */
  readonly tags: Readonly<Record<string, string>>;
};

export type EntryKind =
  | 'deposit'
  | 'withdrawal'
  | 'transfer'
  | 'trade'
  | 'fee'
  | 'netting'
  | 'settlement'
  | 'redemption'
  | 'reversal'
  /** A change by the venue without an explanation: no record shows why. */
  | 'correction';

/** One change of one asset. Money and holdings alike: a balance is the sum of its entries. */
export type Entry = {
  readonly atMs: number;
  readonly kind: EntryKind;
  /** A currency, a coin, a currency on one shard (`USD/2`), or an instrument, under the venue's own name. */
  readonly asset: string;
  readonly amount: Decimal;
  /** The fill, order or transfer that caused the entry. */
  readonly ref: string;
};

export type AccountSpec = {
  readonly id: string;
  readonly environment: Environment;
};

const ZERO = new Decimal(0);

export class Account {
  readonly id: string;
  readonly environment: Environment;
  readonly keys = new Map<string, Key>();
  readonly #entries: Entry[] = [];
  readonly #sums = new Map<string, Decimal>();

  constructor({ id, environment }: AccountSpec) {
    this.id = id;
    this.environment = environment;
  }

  get entries(): readonly Entry[] {
    return this.#entries;
  }

  post(entry: Entry): void {
    this.#entries.push(entry);
    this.#sums.set(entry.asset, this.holds(entry.asset).plus(entry.amount));
  }

  /** The balance of an asset: now, or at a time, for venues whose reads lag. */
  holds(asset: string, asOfMs = Number.POSITIVE_INFINITY): Decimal {
    return this.#entriesAfter(asOfMs)
      .filter((entry) => entry.asset === asset)
      .reduce((sum, { amount }) => sum.minus(amount), this.#sums.get(asset) ?? ZERO);
  }

  /** Every asset that the account ever held, with its balance at the time. */
  holdings(asOfMs = Number.POSITIVE_INFINITY): Map<string, Decimal> {
    return new Map([...this.#sums.keys()].map((asset) => [asset, this.holds(asset, asOfMs)]));
  }

  #entriesAfter(timeMs: number): readonly Entry[] {
    const first = this.#entries.findLastIndex(({ atMs }) => atMs <= timeMs) + 1;
    return this.#entries.slice(first);
  }
}

export type ListedTransfer = Entry & { readonly id: string };

/** Deposits and withdrawals as the venue's own record shows them, newest first. */
export const recordedTransfersOf = ({ id, entries }: Account, asOfMs: number): ListedTransfer[] =>
  entries
    .map((entry, at) => ({ ...entry, id: `${id}-${at}` }))
    .filter(({ kind, atMs }) => (kind === 'deposit' || kind === 'withdrawal') && atMs <= asOfMs)
    .reverse();
