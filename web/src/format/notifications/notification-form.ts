import type { NotificationKind, NotificationOptions, QuietHours, Switch } from './notification-words.ts';

/** The kinds whose chosen switch differs from the stored one. */
export const changedSwitches = (
  before: Readonly<Partial<Record<NotificationKind, Switch>>>,
  chosen: Readonly<Partial<Record<NotificationKind, Switch>>>,
): Partial<Record<NotificationKind, Switch>> =>
  Object.fromEntries(
    Object.entries(chosen).filter(([kind, value]) => before[kind as NotificationKind] !== value),
  );

const isKind = (kinds: NotificationOptions['kinds'], word: string): word is NotificationKind =>
  kinds.some(({ kind }) => kind === word);

const isSwitch = (word: unknown): word is Switch => word === 'off' || word === 'on' || word === 'always';

/** The values of a form's fields `switch <kind>`. */
export function readSwitches(
  data: FormData,
  kinds: NotificationOptions['kinds'],
): Partial<Record<NotificationKind, Switch>> {
  const chosen: Partial<Record<NotificationKind, Switch>> = {};
  for (const [name, value] of data) {
    const word = name.slice('switch '.length);
    if (name.startsWith('switch ') && isKind(kinds, word) && isSwitch(value)) chosen[word] = value;
  }
  return chosen;
}

/** The quiet hours of a form; null if they are off. */
export function readQuietHours(data: FormData): QuietHours | null {
  if (!data.has('isQuiet')) return null;
  const word = (name: string) => String(data.get(name) ?? '');
  return { from: word('quietFrom'), to: word('quietTo'), zone: word('quietZone') };
}
