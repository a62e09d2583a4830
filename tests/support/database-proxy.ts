import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import path from 'node:path';
import type { DatabaseConnection } from '../../db/orm.ts';

type Place = { host: string; port: number };
type Pair = { here: Socket; there: Socket; isSilent: boolean };

/** A connection to the database that a test can cut, restore, silence or delay. */
export class DatabaseProxy {
  readonly #target: Place;
  readonly #delayMs: number;
  readonly #pairs = new Set<Pair>();
  #server: Server | null = null;
  port = 0;
  /** The first words of each connection, which request a session from the server. */
  readonly openings: string[] = [];

  private constructor(target: Place, delayMs: number) {
    this.#target = target;
    this.#delayMs = delayMs;
  }

  /**
   * Each answer comes `delayMs` later. Only the way to the database is delayed: timers wait whole milliseconds, and halves on
   * both ways would become two. Later bytes do not wait for the delay of earlier ones.
   */
  static async open(target: Place, { delayMs = 0 } = {}): Promise<DatabaseProxy> {
    const wire = new DatabaseProxy(target, delayMs);
    await wire.mend();
    return wire;
  }

  /** The same database, through this proxy. */
  carry<Target extends DatabaseConnection>(connection: Target): Target & Place {
    return { ...connection, host: '127.0.0.1', port: this.port };
  }

  /** Accepts connections, at the same port as before. */
  async mend(): Promise<void> {
    if (this.#server) return;
    const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => this.#carry(socket));
    server.listen(this.port, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address !== null && typeof address === 'object') this.port = address.port;
    this.#server = server;
  }

  /** Cuts every connection and refuses new ones. */
  async close(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    this.cut();
    if (server) await new Promise((resolve) => server.close(resolve));
  }

  /** Cuts every connection, or the share of them that `chosen` picks; new ones work. */
  cut(chosen: () => boolean = () => true): void {
    for (const { here, there } of [...this.#pairs].filter(chosen)) {
      here.destroy();
      there.destroy();
    }
  }

  /** Silences present connections in both directions but keeps them open; new ones work. */
  silence(): void {
    for (const pair of this.#pairs) pair.isSilent = true;
  }

  #carry(here: Socket): void {
    const { host, port } = this.#target;
    const there = path.isAbsolute(host) ? connect(path.join(host, `.s.PGSQL.${port}`)) : connect(port, host);
    const pair: Pair = { here, there, isSilent: false };
    this.#pairs.add(pair);
    here.once('data', (words) => this.openings.push(words.toString('latin1')));
    for (const [from, to] of [
      [here, there],
      [there, here],
    ] as const) {
      const isDelayed = from === here && this.#delayMs > 0;
      const carry = (act: () => unknown) => void (isDelayed ? setTimeout(act, this.#delayMs) : act());
      from.on('data', (chunk) => carry(() => pair.isSilent || to.destroyed || to.write(chunk)));
      from.on('end', () => carry(() => pair.isSilent || to.end()));
      from.on('error', () => to.destroy());
      from.on('close', () => {
        if (!pair.isSilent) to.destroy();
        if (to.destroyed) this.#pairs.delete(pair);
      });
    }
  }
}
