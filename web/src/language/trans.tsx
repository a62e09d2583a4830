import { Children, cloneElement, type ReactElement, type ReactNode } from 'react';
import { rich } from './language.ts';

type TransProps = {
  /** English, in the syntax of ICU, with tags around what `tags` writes: `Type <strong>{name}</strong>`. */
  message: string;
  values?: Readonly<Record<string, ReactNode>>;
  tags?: Readonly<Record<string, ReactElement>>;
};

/** A message with parts that are more than text. Where text is enough, `t` says it. */
export function Trans({ message, values, tags = {} }: TransProps) {
  const written = Object.entries(tags).map(([name, element]) => [
    name,
    (parts: ReactNode[]) => cloneElement(element, undefined, ...Children.toArray(parts)),
  ]);
  // Parts that are equal may stand beside each other, so each has a key by its place.
  return Children.toArray(rich<ReactNode>(message, { ...values, ...Object.fromEntries(written) }));
}
