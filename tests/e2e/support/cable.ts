import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const TURN_MS = 90_000;
const ASK_AGAIN_MS = 200;

export type Cable = {
  /** Ends every connection and takes none. */
  cut: () => void;
  /** Takes connections again. */
  mend: () => void;
  [Symbol.asyncDispose]: () => Promise<void>;
};

/** A line to the service that can be cut: bytes go through unchanged, or nothing does. */
export async function lay(from: string, to: string): Promise<Cable> {
  const open = new Set<Socket>();
  let whole = true;
  const server = createServer((near) => {
    if (!whole) return void near.destroy();
    const far = connect(Number(new URL(to).port), '127.0.0.1');
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        open.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  await takeTurn(server, Number(new URL(from).port));
  const drop = () => {
    for (const socket of open) socket.destroy();
  };
  return {
    cut() {
      whole = false;
      drop();
    },
    mend() {
      whole = true;
    },
    async [Symbol.asyncDispose]() {
      drop();
      server.close();
      await once(server, 'close');
    },
  };
}

/** All lines start at the service's one public address: where another test's line lies, this one waits until it is taken up. */
async function takeTurn(server: Server, port: number): Promise<void> {
  const deadline = performance.now() + TURN_MS;
  for (;;) {
    try {
      server.listen(port, 'localhost');
      await once(server, 'listening');
      return;
    } catch (error) {
      const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
      if (!isTaken || performance.now() > deadline) throw error;
      await sleep(ASK_AGAIN_MS);
    }
  }
}
