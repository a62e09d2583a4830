import { Children, cloneElement, type ReactElement, type ReactNode } from 'react';
import { formatParts } from './language.ts';

type TransProps = {
  /** English, in ICU syntax, with tags around the parts that `tags` renders: `Type <strong>{name}</strong>`. */
  message: string;
  values?: Readonly<Record<string, ReactNode>>;
  tags?: Readonly<Record<string, ReactElement>>;
};

/** A message with parts that are more than text. For plain text use `t`. */
export function Trans({ message, values, tags = {} }: TransProps) {
  const written = Object.entries(tags).map(([name, element]) => [
    name,
    (parts: ReactNode[]) => cloneElement(element, undefined, ...Children.toArray(parts)),
  ]);
  // Equal parts may be beside each other, so each has its position as key.
  return Children.toArray(formatParts<ReactNode>(message, { ...values, ...Object.fromEntries(written) }));
}
