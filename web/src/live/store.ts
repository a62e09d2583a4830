import { onlineManager } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { create } from 'zustand';
import { t } from '../language/language.ts';
import type { NodeStates } from './events.ts';
import type { LiveState } from './live-connection.ts';

type Live = {
  connection: LiveState;
  /** How often the stream was reopened since the server's last message. */
  attempts: number;
  /** The time of the server's last message, in epoch ms of this browser; null before the first. */
  lastSeenAt: number | null;
  /** By blueprint, of those that are watched. */
  nodeStates: Readonly<Record<string, NodeStates>>;
  /** Whether an event happened that this page has not shown yet. */
  hasUnseen: boolean;
};

export const useLive = create<Live>()(() => ({
  connection: 'connecting',
  attempts: 0,
  lastSeenAt: null,
  nodeStates: {},
  hasUnseen: false,
}));

export function rememberNodeStates(blueprintId: string, states: NodeStates): void {
  useLive.setState(({ nodeStates }) => ({ nodeStates: { ...nodeStates, [blueprintId]: states } }));
}

/** States that are no longer watched become old, so they are removed. */
export function forgetNodeStates(blueprintId: string): void {
  useLive.setState(({ nodeStates: { [blueprintId]: _old, ...rest } }) => ({ nodeStates: rest }));
}

/** Records an event that the user may want to see. */
export const markUnseen = (): void => useLive.setState({ hasUnseen: true });
/** Records that the user has seen the events. */
export const markSeen = (): void => useLive.setState({ hasUnseen: false });

const whenOnlineChanges = (onChange: () => void) => onlineManager.subscribe(onChange);
const isOnline = () => onlineManager.isOnline();

/** Returns the reason why loading takes so long, or null while the service responds. */
export const delayWords = (connection: LiveState): string | null =>
  connection === 'stale'
    ? t('The service does not answer. Check the connection; this page retries automatically.')
    : null;

/** The reason why actions that move money are blocked now, or null. */
export function useMoneyBlockReason(): string | null {
  const connection = useLive((live) => live.connection);
  const online = useSyncExternalStore(whenOnlineChanges, isOnline);
  if (connection === 'live' && online) return null;
  if (connection === 'signed-out') return t('You are signed out: sign in again first.');
  return connection === 'connecting'
    ? t('Connecting to the live stream: this page may be out of date.')
    : t('The connection is lost, so this page may be out of date. This is possible again once it is back.');
}
