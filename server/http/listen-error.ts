import { StartError } from '../kernel/start-error.ts';

/** Explains to the operator why a port could not be opened. */
export function listenError(
  error: NodeJS.ErrnoException,
  { host, port, setting = 'PORT' }: { host: string; port: number; setting?: string },
): StartError {
  switch (error.code) {
    case 'EADDRINUSE':
      return new StartError(
        `Port ${port} on ${host} is in use: stop what uses it, or set ${setting} to another.`,
      );
    case 'EACCES':
      return new StartError(
        `Port ${port} needs rights this user does not have: set ${setting} to one above 1023.`,
      );
    default:
      return new StartError(
        `Cannot listen on ${host}:${port} (${error.code}): set HOST to an address of this machine.`,
      );
  }
}
