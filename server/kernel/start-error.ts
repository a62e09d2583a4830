/** Why the service does not start, in one plain sentence for the person who started it. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
