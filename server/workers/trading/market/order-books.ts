import PQueue from 'p-queue';
import { toGraphBook } from '../../../../engine/strategy/graph/to-graph-quote.ts';
import type { Book } from '../../../../engine/strategy/graph/types.ts';
import type { MarketData } from '../../../../venues/port.ts';
import type { LogOnce } from '../../../kernel/rounds/log-once.ts';

/** How often the book of one instrument is read, whatever the number of blueprints that use it. */
const PERIOD_MS = 2_000;
/** A book without a reader is no longer fetched after this time. */
const UNWANTED_MS = 10_000;
const CONCURRENCY = 4;

type Want = { wantedAtMs: number; readAtMs: number; reading: Promise<void> | null };

/** Order books of the instruments that plans read, one map per process. */
export class BookCache {
  readonly byToken = new Map<string, Book>();
  readonly #wants = new Map<string, Want>();
  readonly #queue = new PQueue({ concurrency: CONCURRENCY });
  readonly #market: MarketData;
  readonly #log: LogOnce;

  constructor(market: MarketData, log: LogOnce) {
    this.#market = market;
    this.#log = log;
  }

  want(tokenId: string): void {
    const want = this.#wants.get(tokenId);
    if (want) want.wantedAtMs = performance.now();
    else this.#wants.set(tokenId, { wantedAtMs: performance.now(), readAtMs: 0, reading: null });
  }

  /** Reads the due books. Settles when all have arrived or failed. */
  async refresh(): Promise<void> {
    const nowMs = performance.now();
    const due: Promise<void>[] = [];
    for (const [tokenId, want] of this.#wants) {
      if (nowMs - want.wantedAtMs > UNWANTED_MS) this.#drop(tokenId);
      else if (want.reading !== null) due.push(want.reading);
      else if (nowMs - want.readAtMs >= PERIOD_MS || want.readAtMs === 0)
        due.push(this.#start(tokenId, want));
    }
    await Promise.all(due);
  }

  #drop(tokenId: string): void {
    this.#wants.delete(tokenId);
    this.byToken.delete(tokenId);
  }

  #start(tokenId: string, want: Want): Promise<void> {
    const subject = `order book ${tokenId}`;
    want.readAtMs = performance.now();
    want.reading = this.#queue
      .add(async () => {
        this.byToken.set(tokenId, toGraphBook(await this.#market.orderBook(tokenId)));
        this.#log.recovered(subject);
      })
      .catch((error: unknown) => this.#log.failed(subject, error))
      .finally(() => {
        want.reading = null;
      });
    return want.reading;
  }
}
