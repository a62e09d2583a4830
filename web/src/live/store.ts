import { onlineManager } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { create } from 'zustand';
import { t } from '../language/language.ts';
import type { NodeStates } from './events.ts';
import type { LineState } from './line.ts';

type Live = {
  connection: LineState;
  /** How often the stream was opened again since the server was last heard. */
  attempts: number;
  /** When the server was last heard, in epoch ms of this browser; null before. */
  heardAt: number | null;
  /** By blueprint, of those that are watched. */
  nodeStates: Readonly<Record<string, NodeStates>>;
  /** Whether something happened that nobody looked at yet, as far as this page knows. */
  hasUnseen: boolean;
};

export const useLive = create<Live>()(() => ({
  connection: 'connecting',
  attempts: 0,
  heardAt: null,
  nodeStates: {},
  hasUnseen: false,
}));

export function rememberNodeStates(blueprintId: string, states: NodeStates): void {
  useLive.setState(({ nodeStates }) => ({ nodeStates: { ...nodeStates, [blueprintId]: states } }));
}

/** What is not watched any more gets old, so it is not kept. */
export function forgetNodeStates(blueprintId: string): void {
  useLive.setState(({ nodeStates: { [blueprintId]: _old, ...rest } }) => ({ nodeStates: rest }));
}

/** Something happened that a person may want to know of. */
export const happened = (): void => useLive.setState({ hasUnseen: true });
/** A person looked. */
export const seen = (): void => useLive.setState({ hasUnseen: false });

const whenOnlineChanges = (onChange: () => void) => onlineManager.subscribe(onChange);
const isOnline = () => onlineManager.isOnline();

/** Returns the reason why what is on its way takes so long, or null while the service responds. */
export const delayWords = (connection: LineState): string | null =>
  connection === 'stale'
    ? t('The service does not answer. Check the connection; this page tries again by itself.')
    : null;

/** Why nothing that moves money may be done now, or null. */
export function useMoneyBlock(): string | null {
  const connection = useLive((live) => live.connection);
  const online = useSyncExternalStore(whenOnlineChanges, isOnline);
  if (connection === 'live' && online) return null;
  if (connection === 'signed-out') return t('You are signed out: sign in again first.');
  return connection === 'connecting'
    ? t('Connecting to the live stream: what is shown may be old.')
    : t('The connection is lost and what is shown may be old. This is possible again once it is back.');
}
