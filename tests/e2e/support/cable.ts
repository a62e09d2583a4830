import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export type Cable = {
  /** Ends every connection and accepts none. */
  cut: () => void;
  /** Keeps connections and accepts new ones, but forwards no bytes. */
  silence: () => void;
  /** Accepts connections again, and forwards everything. */
  mend: () => void;
  [Symbol.asyncDispose]: () => Promise<void>;
};

/**
 * A connection to the service that can be cut: bytes pass unchanged, or none do. All start at the service's one public address,
 * so the tests that use one are in one file.
 */
export async function layCable(from: string, to: string): Promise<Cable> {
  const open = new Set<Socket>();
  let whole = true;
  let silent = false;
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
    if (silent) far.pause();
  });
  server.listen(Number(new URL(from).port), 'localhost');
  await once(server, 'listening');
  const drop = () => {
    for (const socket of open) socket.destroy();
  };
  return {
    cut() {
      whole = false;
      drop();
    },
    silence() {
      silent = true;
      for (const socket of open) socket.pause();
    },
    mend() {
      whole = true;
      silent = false;
      for (const socket of open) socket.resume();
    },
    async [Symbol.asyncDispose]() {
      drop();
      server.close();
      await once(server, 'close');
    },
  };
}
