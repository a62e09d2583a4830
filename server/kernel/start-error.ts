/** The reason why the service does not start, in one plain sentence for the operator. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
