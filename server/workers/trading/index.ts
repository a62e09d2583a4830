import { VENUE_IDS } from '../../../db/vocabulary.ts';
import { LogOnce } from '../../kernel/rounds/log-once.ts';
import { contextOf, type RunnerOptions } from '../../kernel/rounds/options.ts';
import { HistoryImportWorker } from './history-import-worker.ts';
import { Housekeeper } from './housekeeping.ts';
import { LedgerVerifier } from './ledger-verifier.ts';
import { LossLimitMonitor } from './loss-limit-monitor.ts';
import { startCandleRecorder } from './market/candle-recorder.ts';
import { VenueFeed } from './market/feed.ts';
import { startQuoteCompaction } from './market/quote-compaction.ts';
import { Runner } from './runner.ts';

export type RunningRunner = {
  /** Starts no tick, finishes those in progress, hands shards and feeds over to other processes. */
  stop(): Promise<void>;
};

/**
 * Runs this process's share of the running blueprints: leased shards, and feeds that no other process polls. Also the watches
 * over daily losses and over the ledger of live trading, and housekeeping. Any number of processes on one database share the
 * work; one that dies is replaced within ten seconds.
 */
export function startRunner(options: RunnerOptions): RunningRunner {
  const context = contextOf(options);
  const log = new LogOnce(options.log);
  const runner = new Runner(context, log);
  const feeds = VENUE_IDS.map((venue) => new VenueFeed(venue, context, log));
  const housekeeper = new Housekeeper(context, log);
  const losses = new LossLimitMonitor(context, log);
  const ledger = new LedgerVerifier(context, log);
  const importer = new HistoryImportWorker(context, log);
  runner.start();
  for (const feed of feeds) feed.start();
  housekeeper.start();
  losses.start();
  ledger.start();
  importer.start();
  const candleLog = context.quoteLog && startCandleRecorder(context, () => runner.candles, log);
  const quoteLog = context.quoteLog && startQuoteCompaction(context, context.quoteLog, log);
  return {
    stop: async () => {
      await Promise.all([
        runner.stop(),
        losses.stop(),
        ledger.stop(),
        housekeeper.stop(),
        importer.stop(),
        candleLog?.stop(),
        quoteLog?.stop(),
        ...feeds.map((feed) => feed.stop()),
      ]);
    },
  };
}
