/** Values of an hour, two minutes apart. */
const always = (value: number): string => `${value}x30`;

type Case = {
  /** Series by which the alert fires after an hour. */
  readonly fires: Readonly<Record<string, string>>;
  /** Series without which it also fires; without any other it is silent. */
  readonly evenWithout?: readonly string[];
};

/** Series by which each alert fires. A rule that needs two of them is silent without either. */
export const ALERT_CASES: Readonly<Record<string, Case>> = {
  TradingDatabaseDown: { fires: { trading_database_up: always(0) }, evenWithout: ['trading_database_up'] },
  TradingNoRunner: { fires: { trading_runners: always(0), trading_deployments_running: always(3) } },
  TradingOrdersRefused: { fires: { trading_runner_missing: always(1) } },
  TradingShardUnowned: { fires: { trading_shards_unowned: always(1) } },
  TradingTickLate: { fires: { 'trading_shard_tick_age_seconds{shard="1"}': always(60) } },
  TradingTickLag: { fires: { 'trading_shard_lag_seconds{shard="1"}': always(60) } },
  TradingOrderStuck: {
    fires: Object.fromEntries(
      ['queued', 'submitted', 'unknown'].map((status) => [
        `trading_order_age_seconds{status="${status}"}`,
        always(600),
      ]),
    ),
    evenWithout: ['queued', 'submitted', 'unknown'].map(
      (status) => `trading_order_age_seconds{status="${status}"}`,
    ),
  },
  TradingIntentsWaiting: { fires: { trading_intent_age_seconds: always(60) } },
  TradingQuotesOld: { fires: { 'trading_quote_age_seconds{venue="crypto"}': always(60) } },
  TradingServerErrors: { fires: { 'trading_http_refusals_total{code="internal"}': '0+1x30' } },
  TradingPoolExhausted: { fires: { 'trading_pool_connections{state="waiting"}': always(2) } },
  TradingEventLoopBusy: { fires: { nodejs_eventloop_lag_p99_seconds: always(1) } },
  TradingForeignIntent: { fires: { trading_foreign_intents_total: '0+1x30' } },
  TradingLongTransaction: { fires: { trading_longest_transaction_seconds: always(100) } },
  TradingTransactionIds: { fires: { trading_transaction_id_age: always(2_000_000_000) } },
  TradingWatchMissing: {
    fires: { 'trading_locks_held{lock="ledger"}': always(0), trading_runners: always(2) },
  },
  TradingWalArchiveFailing: { fires: { trading_wal_archive_failing: always(1) } },
  TradingJobsWaiting: { fires: { 'trading_job_age_seconds{queue="sweep"}': always(7_200) } },
  TradingJobsLapsed: { fires: { 'trading_jobs_lapsed{queue="sweep"}': always(1) } },
  TradingNotificationsLate: { fires: { trading_notification_late_seconds: always(600) } },
  TradingNotificationsFailing: { fires: { trading_notification_channels_failing: always(1) } },
  TradingOperationOverdue: {
    fires: {
      'trading_operation_age_seconds{operation="verify-ledger"}': always(1e12),
      'trading_operation_age_seconds{operation="backup"}': always(200_000),
    },
    evenWithout: [
      'trading_operation_age_seconds{operation="verify-ledger"}',
      'trading_operation_age_seconds{operation="backup"}',
    ],
  },
  TradingArchiveBehind: {
    fires: { 'trading_operation_age_seconds{operation="archive"}': always(300_000) },
  },
  TradingOperationFailed: { fires: { 'trading_operation_failed{operation="backup"}': always(1) } },
  TradingConnectionStopped: {
    fires: { 'trading_connections{state="halted", held_by="service"}': always(1) },
  },
  TradingConnectionUnheld: { fires: { trading_connections_unheld: always(1) } },
  TradingNoWatchdog: {
    fires: {
      'trading_locks_held{lock="watchdog"}': always(0),
      'trading_connections{state="ready", held_by="service"}': always(1),
    },
  },
  TradingBooksOld: { fires: { trading_connection_books_age_seconds: always(3_600) } },
  TradingVenueKeyExpires: { fires: { trading_venue_key_expiry_seconds: always(3_600) } },
  TradingDifferenceOpen: { fires: { 'trading_difference_age_seconds{kind="unexplained"}': always(3_600) } },
  TradingLedgerDiffers: { fires: { trading_ledger_differences: always(1) } },
  TradingLedgerUnchecked: { fires: { trading_ledger_check_age_seconds: always(7_200) } },
  TradingProcessDown: { fires: { 'up{job="trading", instance="a"}': always(0) } },
  TradingFewerProcesses: {
    fires: {
      'trading_build_info{role="api", instance="a"}': '1x15 _x15',
      'trading_build_info{role="api", instance="b"}': '1x15 _x15',
    },
    evenWithout: [
      'trading_build_info{role="api", instance="a"}',
      'trading_build_info{role="api", instance="b"}',
    ],
  },
  TradingProcessRestarts: { fires: { 'process_start_time_seconds{job="trading", instance="a"}': '0+1x30' } },
  TradingMemoryNearLimit: {
    fires: {
      'process_resident_memory_bytes{instance="a"}': always(95),
      'trading_memory_limit_bytes{instance="a"}': always(100),
    },
  },
  TradingDiskFull: { fires: { trading_disk_free_ratio: always(0.05) } },
  PatroniNoStandby: {
    fires: {
      'up{job="patroni", instance="pg1"}': always(1),
      patroni_sync_standby: always(0),
      patroni_quorum_standby: always(0),
    },
    evenWithout: ['patroni_sync_standby', 'patroni_quorum_standby'],
  },
  PatroniNodeDown: {
    fires: {
      'up{job="patroni", instance="pg1"}': always(0),
      'patroni_postgres_running{instance="pg2"}': always(0),
    },
    evenWithout: ['up{job="patroni", instance="pg1"}', 'patroni_postgres_running{instance="pg2"}'],
  },
};

/** A test file of promtool: each alert fires by its series, and without each of them behaves as its case states. */
export function promtoolTests(rules: string): string {
  const tests = Object.entries(ALERT_CASES).flatMap(([alert, { fires, evenWithout = [] }]) =>
    [null, ...Object.keys(fires)].map((absent) => {
      const series = Object.entries(fires).filter(([name]) => name !== absent);
      const isFiring = absent === null || evenWithout.includes(absent);
      return {
        name: `${alert} without ${absent ?? 'nothing'}`,
        interval: '2m',
        input_series: series.map(([name, values]) => ({ series: name, values })),
        promql_expr_test: [
          {
            expr: `sgn(count(ALERTS{alertname="${alert}", alertstate="firing"})) or vector(0)`,
            eval_time: '1h',
            exp_samples: [{ labels: '{}', value: isFiring ? 1 : 0 }],
          },
        ],
      };
    }),
  );
  // JSON is YAML too.
  return JSON.stringify({ rule_files: [rules], evaluation_interval: '2m', tests });
}
