const NAME_LENGTH_MAX = 28;

/** A name shortened to fit a button. */
export const shortName = (name: string): string =>
  name.length > NAME_LENGTH_MAX ? `${name.slice(0, NAME_LENGTH_MAX - 1)}…` : name;
