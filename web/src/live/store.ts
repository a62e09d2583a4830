import { onlineManager } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { create } from 'zustand';
import type { LiveEvent, NodeStates } from './events.ts';

export type Connection = 'connecting' | 'live' | 'reconnecting' | 'stale' | 'signed-out';

/** Events kept for the overview's list of what just happened. */
const RECENT_MAX = 40;

type Live = {
  connection: Connection;
  /** How often the stream was opened again since it last worked. */
  attempts: number;
  /** When the server was last heard, in epoch ms of this browser; null before. */
  heardAt: number | null;
  recent: readonly LiveEvent[];
  /** By blueprint, of those that are watched. */
  nodeStates: Readonly<Record<string, NodeStates>>;
};

export const useLive = create<Live>()(() => ({
  connection: 'connecting',
  attempts: 0,
  heardAt: null,
  recent: [],
  nodeStates: {},
}));

/** Something from the server arrived: what is shown is true again. */
export function heard(): void {
  useLive.setState({ connection: 'live', attempts: 0, heardAt: Date.now() });
}

export function rememberNodeStates(blueprintId: string, states: NodeStates): void {
  useLive.setState(({ nodeStates }) => ({ nodeStates: { ...nodeStates, [blueprintId]: states } }));
}

/** What is not watched any more gets old, so it is not kept. */
export function forgetNodeStates(blueprintId: string): void {
  useLive.setState(({ nodeStates: { [blueprintId]: _old, ...rest } }) => ({ nodeStates: rest }));
}

export function remember(event: LiveEvent): void {
  useLive.setState(({ recent }) => ({ recent: [event, ...recent].slice(0, RECENT_MAX) }));
}

const whenOnlineChanges = (onChange: () => void) => onlineManager.subscribe(onChange);
const isOnline = () => onlineManager.isOnline();

/** Why nothing that moves money may be done now, or null. */
export function useMoneyBlock(): string | null {
  const connection = useLive((live) => live.connection);
  const online = useSyncExternalStore(whenOnlineChanges, isOnline);
  if (connection === 'live' && online) return null;
  if (connection === 'signed-out') return 'You are signed out: sign in again first.';
  return connection === 'connecting'
    ? 'Connecting to the live stream: what is shown may be old.'
    : 'The connection is lost and what is shown may be old. This is possible again once it is back.';
}
