import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';

/** A browser's subscription, and the decryption of messages sent to it. */
export type PushBrowser = {
  readonly keys: { readonly p256dh: string; readonly auth: string };
  /** Returns the text of a message. @throws Error if it was encrypted for another browser. */
  open(body: Buffer): string;
};

const SALT = 16;
const HEADER = SALT + 4;
const TAG = 16;
/** Ends the last record (RFC 8188). */
const DELIMITER = 2;

/** A browser's end of Web Push: message encryption by RFC 8291 over RFC 8188, with keys of its own. */
export function newPushBrowser(): PushBrowser {
  const own = createECDH('prime256v1');
  own.generateKeys();
  const auth = randomBytes(16);
  return {
    keys: { p256dh: own.getPublicKey('base64url'), auth: auth.toString('base64url') },
    open(body) {
      const salt = body.subarray(0, SALT);
      const keyLength = body.readUInt8(HEADER);
      const sender = body.subarray(HEADER + 1, HEADER + 1 + keyLength);
      const sealed = body.subarray(HEADER + 1 + keyLength);
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), own.getPublicKey(), sender]);
      const secret = Buffer.from(hkdfSync('sha256', own.computeSecret(sender), auth, info, 32));
      const derive = (name: string, bytes: number) =>
        Buffer.from(hkdfSync('sha256', secret, salt, `Content-Encoding: ${name}\0`, bytes));
      const cipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12));
      cipher.setAuthTag(sealed.subarray(-TAG));
      const plain = Buffer.concat([cipher.update(sealed.subarray(0, -TAG)), cipher.final()]);
      return plain.subarray(0, plain.lastIndexOf(DELIMITER)).toString();
    },
  };
}
