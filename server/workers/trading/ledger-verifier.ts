import { checkBooks, findBooksToCheck } from '../../../engine/ledger/check-books.ts';
import { readChainHead } from '../../../engine/ledger/hash-chain.ts';
import { LockSession } from '../../kernel/rounds/lock-session.ts';
import type { LogOnce } from '../../kernel/rounds/log-once.ts';
import type { RunnerContext } from '../../kernel/rounds/options.ts';
import { type Rounds, startRounds } from '../../kernel/rounds/rounds.ts';

const PERIOD_MS = 60_000;
/** The largest share of time for verifying: the next round is later if it takes long. */
const SHARE = 0.25;
/** The most books that one round verifies; the next does the rest. */
const MOST = 20;

/** Verifies the books of live trading repeatedly, in one process at a time. */
export class LedgerVerifier {
  readonly #context: RunnerContext;
  readonly #log: LogOnce;
  readonly #session: LockSession;
  #rounds: Rounds | null = null;
  #isStopped = false;
  #restUntilMs = Number.NEGATIVE_INFINITY;

  constructor(context: RunnerContext, log: LogOnce) {
    this.#context = context;
    this.#log = log;
    this.#session = new LockSession(context.pool, 'ledger', context.leaseMs);
  }

  start(): void {
    // A lock session sends heartbeats: it is closed while there are no books to verify.
    const onRest = () => this.#session.close();
    this.#rounds = startRounds(() => this.verifyOnce(), PERIOD_MS, {
      idle: this.#context.idle,
      kind: 'ledger',
      onRest,
    });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#rounds?.stop();
    await this.#session.close();
  }

  /** Verifies once, if this process holds the lock. Books that cannot be verified do not delay the others. */
  async verifyOnce(): Promise<void> {
    await this.#log.attempt('verifying the ledger', async () => {
      if (performance.now() < this.#restUntilMs || !(await this.#session.hold())) return;
      const { db, clock, workOf, log } = this.#context;
      const startedMs = performance.now();
      for (const books of await findBooksToCheck(db, await clock(db), MOST)) {
        if (this.#isStopped) return;
        const subject = `the ledger of account ${books.accountId}`;
        await this.#log.attempt(subject, async () => {
          const differences = await checkBooks(workOf(books));
          if (differences > 0)
            log.error({ accountId: books.accountId, differences }, 'the ledger of real money differs');
          const head = await readChainHead(db, books.accountId);
          log.info({ accountId: books.accountId, head }, 'head of the ledger of real money');
        });
      }
      this.#restUntilMs = startedMs + (performance.now() - startedMs) / SHARE;
    });
  }
}
