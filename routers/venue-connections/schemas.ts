import { z } from 'zod';
import { CONNECTION_STATES, ENVIRONMENTS, VENUE_IDS } from '../../db/vocabulary.ts';
import { toIso, toIsoOrNull } from '../../engine/platform/clock/timestamp-text.ts';
import { exact } from '../../engine/platform/decimal.ts';
import { textProblem } from '../../engine/platform/text.ts';
import type { ConnectionLimits } from '../../engine/trading/connections/create.ts';
import { CHECK_STATES, parseChecks } from '../../engine/trading/connections/preflight-checks.ts';
import type { ConnectionRow } from '../../engine/trading/connections/row.ts';
import { ACCESS } from '../../venues/trading-access.ts';
import { EXAMPLE } from '../examples.ts';
import { decimalNumber, exactNumber, singleLineText, timestamp, uuid } from '../schemas.ts';

export const ConnectionId = z.strictObject({ id: uuid.meta({ description: 'The connection.' }) });

const CheckView = z.object({
  name: z.string(),
  state: z.enum(CHECK_STATES),
  value: z.string().nullable().meta({ description: 'The finding.' }),
  reason: z
    .string()
    .nullable()
    .meta({ description: 'The problem and the remedy; null if the check passed.' }),
  at: timestamp,
});

const limit = decimalNumber.nullable();

export const ConnectionView = z
  .object({
    id: z.uuid(),
    venue: z.enum(VENUE_IDS),
    environment: z.enum(ENVIRONMENTS),
    label: z.string(),
    state: z.enum(CONNECTION_STATES).meta({
      description:
        '`ready`: all orders may be sent. `reduce_only`: no entries. `halted`: cancels only, until a person resumes it. `unverified`: not all of its checks have passed yet.',
    }),
    stateCode: z.string().nullable().meta({ description: 'Why, stable.' }),
    stateReason: z.string().nullable().meta({ description: 'The reason for the state, in words.' }),
    stateAt: timestamp,
    keyHint: z.string().meta({ description: 'Last characters of the public name of the key.' }),
    fingerprint: z.string().nullable().meta({ description: 'The identity of the account at the venue.' }),
    permissions: z.array(z.string()).nullable(),
    keyExpiresAt: timestamp.nullable(),
    maxOrder: limit.meta({ description: 'USD. Largest entry; null: no limit of its own.' }),
    maxDay: limit.meta({ description: 'USD. Entries of a UTC day together.' }),
    maxOpenNotional: limit.meta({ description: 'USD. Open entries and positions together.' }),
    clockOffsetMs: z.int().nullable().meta({ description: "How far the venue's clock is ahead." }),
    checks: z.array(CheckView),
    checkedAt: timestamp.nullable(),
    checkRequestedAt: timestamp.nullable().meta({ description: 'Null: no check is pending.' }),
    reconciledAt: timestamp.nullable(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'VenueConnection', description: 'An account at a venue. Its credentials are in no answer.' });

export const viewConnection = (row: ConnectionRow): z.input<typeof ConnectionView> => ({
  id: row.id,
  venue: row.venue,
  environment: row.environment,
  label: row.label,
  state: row.state,
  stateCode: row.state_code,
  stateReason: row.state_reason,
  stateAt: toIso(row.state_at),
  keyHint: row.key_hint,
  fingerprint: row.fingerprint,
  permissions: row.permissions,
  keyExpiresAt: toIsoOrNull(row.key_expires_at),
  maxOrder: row.max_order,
  maxDay: row.max_day,
  maxOpenNotional: row.max_open_notional,
  clockOffsetMs: row.clock_offset_ms,
  checks: parseChecks(row.checks).map((check) => ({ ...check })),
  checkedAt: toIsoOrNull(row.checked_at),
  checkRequestedAt: toIsoOrNull(row.check_requested_at),
  reconciledAt: toIsoOrNull(row.reconciled_at),
  createdAt: toIso(row.created_at),
  updatedAt: toIso(row.updated_at),
});

/** The credentials of each venue; `venue` decides which apply, so that an error is about those. */
export const Credentials = z
  .union(VENUE_IDS.map((venue) => ACCESS[venue].credentials))
  .meta({ description: 'Those of the venue. Sealed at once, and in no answer ever.' });

/** As a person chose it: blanks at its ends are part of it. */
export const Password = z
  .string()
  .superRefine((text, context) => {
    const problem = textProblem(text, { min: 1, max: PASSWORD_MAX, lines: false }) ?? blankProblem(text);
    if (problem) context.addIssue({ code: 'custom', message: problem, input: text });
  })
  .meta({ description: 'The password of the signed-in person, again.' });

/** No password is longer. */
const PASSWORD_MAX = 128;
const blankProblem = (text: string) => (text.trim() === '' ? 'must not be empty' : null);

const cap = exactNumber({ above: 0, max: 1e9 }).nullable().optional();
export const limitFields = {
  maxOrder: cap.meta({ description: 'USD. Largest entry; null: no limit of its own.' }),
  maxDay: cap.meta({ description: 'USD. Entries of a UTC day together.' }),
  maxOpenNotional: cap.meta({ description: 'USD. Open entries and positions together.' }),
};

export const Label = singleLineText(1, 120).meta({ description: 'Its display name.' });

type SentLimits = { [Name in keyof ConnectionLimits]?: number | null | undefined };

/** The sent limits in the engine's form. */
export function limitsOf(sent: SentLimits): Partial<ConnectionLimits> {
  const limits: { -readonly [Name in keyof ConnectionLimits]?: string | null } = {};
  for (const name of ['maxOrder', 'maxDay', 'maxOpenNotional'] as const) {
    const value = sent[name];
    if (value !== undefined) limits[name] = value === null ? null : exact(value).toFixed();
  }
  return limits;
}

export const CONNECTION_EXAMPLE = {
  id: EXAMPLE.connectionId,
  venue: 'crypto',
  environment: 'testnet',
  label: 'Testnet, small',
  state: 'ready',
  stateCode: null,
  stateReason: null,
  stateAt: EXAMPLE.updatedAt,
  keyHint: 'x3Kq',
  fingerprint: '354937868',
  permissions: ['read', 'trade'],
  keyExpiresAt: null,
  maxOrder: 25,
  maxDay: 200,
  maxOpenNotional: null,
  clockOffsetMs: 41,
  checks: [{ name: 'clock', state: 'green', value: '41 ms ahead', reason: null, at: EXAMPLE.updatedAt }],
  checkedAt: EXAMPLE.updatedAt,
  checkRequestedAt: null,
  reconciledAt: EXAMPLE.updatedAt,
  createdAt: EXAMPLE.createdAt,
  updatedAt: EXAMPLE.updatedAt,
} as const;

export const CRYPTO_CREDENTIALS_EXAMPLE = {
  apiKey: 'EXAMPLEexampleEXAMPLEexampleEXAMPLEexamplex3Kq',
  secret: 'EXAMPLEexampleEXAMPLEexampleEXAMPLEexampleEXAMPLE',
} as const;
