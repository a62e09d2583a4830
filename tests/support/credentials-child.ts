/**
 * A process that opens sealed credentials and builds brokers from them, as a runner does. It then writes its memory to a file.
 * It reads JSON from its input: `keys`, `records`, `file`.
 */
import { json } from 'node:stream/consumers';
import { writeHeapSnapshot } from 'node:v8';
import {
  type CredentialOwner,
  type SealedCredentials,
  withOpened,
} from '../../engine/trading/connections/credentials/encryption.ts';
import { KeyRing } from '../../engine/trading/connections/credentials/key-ring.ts';
import type { Broker } from '../../venues/broker.ts';
import { ObservedClock } from '../../venues/clock.ts';
import { openBroker } from '../../venues/open-broker.ts';
import { ParseErrorLog } from '../../venues/parse-error-log.ts';

export type Opening = {
  readonly keys: string;
  readonly records: readonly {
    readonly owner: CredentialOwner;
    readonly sealed: { readonly [Name in keyof SealedCredentials]: string };
  }[];
  readonly file: string;
};

const { keys, records, file } = (await json(process.stdin)) as Opening;
const ring = KeyRing.parse(keys);
const bytes = (text: string): Buffer => Buffer.from(text, 'base64');
const brokers: Broker[] = [];
for (const { owner, sealed } of records) {
  const record = {
    keyId: sealed.keyId,
    wrappedKey: bytes(sealed.wrappedKey),
    nonce: bytes(sealed.nonce),
    ciphertext: bytes(sealed.ciphertext),
    tag: bytes(sealed.tag),
  };
  const options = {
    environment: owner.environment,
    simulatorUrl: 'http://127.0.0.1:9',
    clock: new ObservedClock(),
    feesOf: async () => null,
    parseErrors: new ParseErrorLog(null),
  };
  brokers.push(await withOpened(record, owner, ring, (plain) => openBroker(owner.venue, plain, options)));
}
// Collects everything that is no longer referenced.
globalThis.gc?.();
await new Promise((resolve) => setImmediate(resolve));
globalThis.gc?.();
writeHeapSnapshot(file);
process.stdout.write(String(brokers.length));
