import { z } from 'zod';

/** The buckets that requests are counted in. */
export const BUCKET_NAMES = [
  'read',
  'write',
  'market_data',
  'brake',
  'brake_account',
  'anonymous',
  'auth_failures',
  'sign_in_address',
  'sign_in_email_address',
  'sign_in_email',
  'sign_up',
  'password_reset',
  'password_reset_email',
  'processor',
  'form',
  'registration',
] as const;
export type BucketName = (typeof BUCKET_NAMES)[number];
/** `points` calls per `windowSec`; `off` counts nothing. */
export type RateLimits = 'off' | Record<BucketName, { points: number; windowSec: number }>;

/** `rate` a second with `burst` at once is `burst` points per `burst / rate` seconds. */
export const DEFAULT_LIMITS: Exclude<RateLimits, 'off'> = {
  read: { points: 40, windowSec: 2 },
  write: { points: 20, windowSec: 2 },
  market_data: { points: 15, windowSec: 3 },
  brake: { points: 40, windowSec: 4 },
  brake_account: { points: 200, windowSec: 1 },
  anonymous: { points: 200, windowSec: 7 },
  auth_failures: { points: 200, windowSec: 7 },
  sign_in_address: { points: 10, windowSec: 60 },
  sign_in_email_address: { points: 5, windowSec: 60 },
  sign_in_email: { points: 50, windowSec: 60 },
  sign_up: { points: 5, windowSec: 3600 },
  password_reset: { points: 5, windowSec: 3600 },
  password_reset_email: { points: 50, windowSec: 3600 },
  processor: { points: 600, windowSec: 2 },
  form: { points: 5, windowSec: 3600 },
  registration: { points: 60, windowSec: 3600 },
};

const Limit = z.strictObject({ points: z.int().min(1).max(1e6), windowSec: z.int().min(1).max(86_400) });

/** `on`, `off`, or JSON over the defaults. */
export const RateLimitsSetting = z.string().transform((text, context): RateLimits => {
  if (text === 'off') return 'off';
  if (text === 'on') return DEFAULT_LIMITS;
  try {
    const overrides = z.partialRecord(z.enum(BUCKET_NAMES), Limit).parse(JSON.parse(text));
    return { ...DEFAULT_LIMITS, ...overrides };
  } catch {
    context.addIssue({
      code: 'custom',
      message: `must be on, off, or JSON such as {"read":{"points":40,"windowSec":2}} with buckets of ${BUCKET_NAMES.join(', ')}`,
    });
    return z.NEVER;
  }
});
