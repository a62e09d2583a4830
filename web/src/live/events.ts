/** An event of the server's live stream. Payloads name ids and new values; all else is read. */
export type LiveEvent = { type: string; at: string; payload?: unknown };

export type NodeState = {
  status: 'idle' | 'waiting' | 'stale' | 'ok' | 'fired' | 'blocked' | 'missed' | 'error';
  value: number | boolean | null;
  reason?: { code: string; message: string };
  distance?: number;
  updatedAt: number;
  lastFiredAt?: number;
  firedCount: number;
};
export type NodeStates = Readonly<Record<string, NodeState>>;

type Fields = Readonly<Record<string, unknown>>;

/** The payload as an object, or one without fields. */
export const fieldsOf = ({ payload }: LiveEvent): Fields =>
  typeof payload === 'object' && payload !== null && !Array.isArray(payload) ? (payload as Fields) : {};

export const textOf = (fields: Fields, name: string): string | null => {
  const value = fields[name];
  return typeof value === 'string' ? value : null;
};

/** Node states as the server sends them, or none. */
export const nodeStatesOf = (value: unknown): NodeStates =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as NodeStates) : {};
