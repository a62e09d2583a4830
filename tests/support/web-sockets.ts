/** Event streams over WebSocket, as a caller reads them. */
import { once } from 'node:events';
import { WebSocket } from 'ws';

export type Message = { id?: string; event?: string; data?: { type?: string; payload?: object } };

/** Begins a handshake; an error shows as the end of the socket. */
export function openWebSocket(base: string, path: string, headers: Record<string, string>): WebSocket {
  const socket = new WebSocket(`${base.replace('http', 'ws')}${path}`, { headers });
  socket.on('error', () => {});
  return socket;
}

/** The messages of a socket from now on, without those that only say where the stream is. */
export function messagesOf(socket: WebSocket) {
  const messages: Message[] = [];
  socket.on('message', (data) => messages.push(JSON.parse(String(data))));
  return async (): Promise<Message> => {
    for (;;) {
      const message = messages.shift();
      if (message?.event !== undefined) return message;
      if (message === undefined) await once(socket, 'message');
    }
  };
}

export type Answer = { id: string; status: number; headers: Record<string, string>; body: unknown };

/** Returns the data of the next answer to a request by message. */
export async function nextAnswer(next: () => Promise<Message>): Promise<Answer> {
  for (;;) {
    const { event, data } = await next();
    if (event === 'answer') return data as unknown as Answer;
  }
}
