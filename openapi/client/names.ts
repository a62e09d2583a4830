import type { z } from 'zod';

/** A procedure's name as a type's: `blueprints.deploy` is `BlueprintsDeploy`. */
export const titled = (name: string): string =>
  name
    .split('.')
    .map((part) => part.slice(0, 1).toUpperCase() + part.slice(1))
    .join('');

/** Whether a field of a request may be left out. */
export const isOptional = (field: z.core.$ZodType | undefined): boolean => field?._zod.optin !== undefined;
