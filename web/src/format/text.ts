const NAME_SHOWN_MAX = 28;

/** A name as far as a button has room for it. */
export const shortName = (name: string): string =>
  name.length > NAME_SHOWN_MAX ? `${name.slice(0, NAME_SHOWN_MAX - 1)}…` : name;
