import type { ErrorCode, Refusal } from './generated/router.ts';

/** A refusal by the service. `status` is null if only the error body is available. */
export type Problem = Refusal & { status: number | null };

/**
 * Returns the service's refusal from an error that either entry threw or returned. Null without one, for example if the service
 * cannot be reached.
 */
export function problemOf(error: unknown): Problem | null {
  const data = fieldOf(error, 'data');
  const errorBody = fieldOf(data, 'error') ?? fieldOf(error, 'error');
  const { code, message, issues, requestId } = { ...(errorBody as Partial<Refusal> | undefined) };
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
