import type { ErrorCode, Refusal } from './generated/router.ts';

/** A refusal in the service's words. `status` is null where only the words came along. */
export type Problem = Refusal & { status: number | null };

/**
 * What the service said, of an error that either entry threw or answered; null where it said nothing, as when it cannot
 * be reached.
 */
export function problemOf(error: unknown): Problem | null {
  const data = fieldOf(error, 'data');
  const said = fieldOf(data, 'error') ?? fieldOf(error, 'error');
  const { code, message, issues, requestId } = { ...(said as Partial<Refusal> | undefined) };
  if (code === undefined || message === undefined || requestId === undefined) return null;
  const status = fieldOf(data, 'httpStatus');
  return {
    code,
    message,
    requestId,
    ...(issues && { issues }),
    status: typeof status === 'number' ? status : null,
  };
}

/** Whether the service refused with this code. */
export const isRefusedWith = (error: unknown, code: ErrorCode): boolean => problemOf(error)?.code === code;

function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}
