/**
 * Credentials cannot be opened. `credentials_locked`: the service lacks the key that wraps them. `credentials_refused`:
 * they belong to another connection, or were changed. Messages contain no secrets.
 */
export class CredentialError extends Error {
  override readonly name = 'CredentialError';
  readonly code: 'credentials_locked' | 'credentials_refused';

  private constructor(code: CredentialError['code'], message: string) {
    super(message);
    this.code = code;
  }

  static locked(keyId: string): CredentialError {
    return new CredentialError(
      'credentials_locked',
      `The credentials are locked with the key "${keyId}", which CREDENTIAL_KEYS does not have: add it, or enter the credentials again.`,
    );
  }

  static refused(): CredentialError {
    return new CredentialError(
      'credentials_refused',
      'The stored credentials do not belong to this connection or were changed: enter them again.',
    );
  }
}
