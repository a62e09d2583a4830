import type { Db } from '../../../../../db/tables.ts';
import type { PaperVenue } from '../../../../../engine/trading/orders/paper/broker.ts';
import { QuoteCursor } from '../../market/quote-cursor.ts';
import type { OrderJobQueues } from '../order-jobs.ts';

/** Matches resting paper orders whenever quotes move, and books the fills. */
export class PaperMatching {
  readonly #db: Db;
  readonly #venue: Pick<PaperVenue, 'advance'>;
  readonly #lanes: OrderJobQueues;
  readonly #cursor: QuoteCursor;

  constructor(db: Db, venue: Pick<PaperVenue, 'advance'>, lanes: OrderJobQueues) {
    this.#db = db;
    this.#venue = venue;
    this.#lanes = lanes;
    this.#cursor = new QuoteCursor(db);
  }

  async round(): Promise<void> {
    const { seq } = await this.#cursor.locate();
    const moved = await this.#db
      .selectFrom('quote')
      .select(['token_id', 'seq'])
      .where('seq', '>', seq)
      .orderBy('seq')
      .execute();
    const last = moved.at(-1);
    if (last === undefined) return;
    this.#lanes.syncing.take(await this.#venue.advance(moved.map(({ token_id }) => token_id)));
    this.#cursor.markRead(last.seq);
  }
}
