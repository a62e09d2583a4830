/** Receives the requests to one simulated venue: applies faults, calls its routes, sends its answers. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FeedClock } from '../../venues/clock.ts';
import type { Reply } from '../reply.ts';
import { send } from '../respond.ts';
import { FaultPlan, type TradingFault, worldDelay } from './fault-plan.ts';
import { UserStreams } from './user-streams.ts';
import type { TradingRequest, TradingVenue } from './venue.ts';

/** The venue's answer to requests that are not about trading: market data. */
type Otherwise = () => Reply;

export class SimulatedVenueServer {
  readonly venue: TradingVenue;
  readonly faults = new FaultPlan();
  readonly streams: UserStreams;
  readonly #clock: FeedClock;

  constructor(venue: TradingVenue, clock: FeedClock) {
    this.venue = venue;
    this.streams = new UserStreams(venue);
    this.#clock = clock;
  }

  async serve(ask: TradingRequest, response: ServerResponse, otherwise: Otherwise): Promise<void> {
    const { method, path } = ask;
    const clientOrderId = this.venue.clientOrderIdOf(ask);
    const fault = this.faults.take({ method, path, clientOrderId }) ?? {};
    if (fault.delayMs !== undefined) await worldDelay(() => this.#clock.now(), fault.delayMs);
    const reply = fault.isProcessed === false ? null : (this.venue.answer(ask) ?? otherwise());
    this.#dated(response, fault);
    this.#answer(response, fault, reply);
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, ask: TradingRequest): void {
    this.streams.upgrade(request, socket, head, ask);
  }

  #dated(response: ServerResponse, { date }: TradingFault): void {
    if (date === 'absent') response.sendDate = false;
    else response.setHeader('date', new Date(this.venue.exchange.venueNow() + (date ?? 0)).toUTCString());
  }

  #answer(response: ServerResponse, { answer }: TradingFault, reply: Reply | null): void {
    if (answer === 'hang') return;
    if (answer === 'cut') response.destroy();
    else if (answer === 'html') {
      response
        .writeHead(502, { 'content-type': 'text/html' })
        .end('<html><body>502 Bad Gateway</body></html>');
    } else if (answer === 'half') {
      const text = JSON.stringify(reply?.body ?? {});
      send(response, reply ?? { status: 200, body: {} }, this.#clock, text.slice(0, text.length / 2));
    } else if (answer === 'too-many') send(response, this.venue.tooMany(), this.#clock);
    else if (answer === undefined) {
      if (reply === null) response.destroy();
      else send(response, reply, this.#clock);
    } else if ('status' in answer) send(response, answer, this.#clock);
    else {
      const headers = { 'retry-after': String(answer.retryAfterSec) };
      send(response, { ...this.venue.tooMany(), headers }, this.#clock);
    }
  }
}
