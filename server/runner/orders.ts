import type { MikroORM } from '@mikro-orm/postgresql';
import type { Clock } from '../../engine/context.ts';
import type { Broker } from '../../engine/orders/broker.ts';

export type OrderWorkOptions = {
  orm: MikroORM;
  broker: Broker;
  clock: Clock;
  log: OrderWorkLog;
  /** How often to look for work nobody announced, default 250. */
  periodMs?: number;
  /** A venue refused three orders of a deployment in a row for one reason. */
  onRefusedInARow?: (refused: { accountId: string; deploymentId: string; reason: string }) => Promise<void>;
};

/** What is needed of a logger; pino fits. */
export type OrderWorkLog = {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
};

export type OrderWork = {
  /** Something was queued or canceled: look now. */
  nudge(): void;
  /** Takes no new work and waits for what is under way. */
  stop(): Promise<void>;
};

export function startOrderWork(_options: OrderWorkOptions): OrderWork {
  throw new Error('under construction');
}
