import { queryOptions } from '@tanstack/react-query';
import { callAuth, completeSignIn } from './session.ts';

export type Passkey = {
  id: string;
  name: string | null;
  createdAt: string | null;
  /** Stored by a manager that has it on several devices. */
  backedUp: boolean;
};

/** The passkeys of the signed-in user. */
export const passkeysQuery = queryOptions({
  queryKey: ['passkeys'],
  queryFn: () => callAuth('passkey/list-user-passkeys') as Promise<Passkey[]>,
  staleTime: 0,
});

/** Whether this browser supports passkeys at this address. */
export const hasPasskeys = (): boolean => 'PublicKeyCredential' in globalThis && globalThis.isSecureContext;

/** Has this device, or a manager, make a passkey, and stores it under a name. Its code loads on demand. */
export async function addPasskey(name: string, password: string): Promise<void> {
  const { startRegistration } = await import('@simplewebauthn/browser');
  const optionsJSON = (await callAuth('passkey/generate-register-options')) as Parameters<
    typeof startRegistration
  >[0]['optionsJSON'];
  const response = await startRegistration({ optionsJSON });
  await callAuth('passkey/verify-registration', { response, name, ...(password !== '' && { password }) });
}

/** Signs in with a passkey of this device. It replaces the password and the code. */
export async function signInByPasskey(): Promise<void> {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  const optionsJSON = (await callAuth('passkey/generate-authenticate-options')) as Parameters<
    typeof startAuthentication
  >[0]['optionsJSON'];
  const response = await startAuthentication({ optionsJSON });
  await callAuth('passkey/verify-authentication', { response });
  await completeSignIn();
}

export const renamePasskey = (id: string, name: string) => callAuth('passkey/update-passkey', { id, name });
export const removePasskey = (id: string) => callAuth('passkey/delete-passkey', { id });
