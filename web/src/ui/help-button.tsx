import type { ComponentProps } from 'react';

/** The question mark beside what it explains. */
export const HelpButton = ({ of, ...props }: { of: string } & ComponentProps<'button'>) => (
  <button type="button" className="help" aria-label={`What “${of}” is`} {...props}>
    ?
  </button>
);
