/** Payloads of each type of event: the one table behind producers, API description, guide and the package's types. */
import { z } from 'zod';
import { BLUEPRINT_STATUSES } from '../../db/entities/blueprint.ts';
import { ORDER_STATUSES } from '../../db/entities/order.ts';
import { CONNECTION_STATES, JOB_STATUSES, SIDES } from '../../db/vocabulary.ts';

const blueprintId = z.string().meta({ description: 'The blueprint it is about.' });
const tokenId = z.string().meta({ description: 'The instrument.' });
const usd = (description: string) => z.string().meta({ description: `${description}, USD.` });
const moment = z.string().meta({ description: 'When, ISO 8601.' });

export const PAYLOADS = {
  'order.changed': z.object({
    id: z.string().meta({ description: 'The order.' }),
    blueprintId,
    tokenId,
    side: z.enum(SIDES),
    status: z.enum(ORDER_STATUSES).meta({ description: 'The status it has now.' }),
  }),
  'fill.applied': z.object({
    orderId: z.string().meta({ description: 'The order that was executed.' }),
    tokenId,
    blueprintId,
    fills: z.number().meta({ description: 'Executions that were booked at once.' }),
  }),
  'position.changed': z.object({
    tokenId,
    blueprintId,
    orderId: z.string().optional().meta({ description: 'The order that changed it, where one did.' }),
    settled: usd('What a unit paid at settlement').optional(),
    writtenOff: usd('What a unit was written off at').optional(),
  }),
  'risk_rules.changed': z.object({
    version: z.number().meta({ description: 'The version the rules have now.' }),
  }),
  'daily_loss.tripped': z.object({
    at: moment,
    loss: usd('The loss of the day'),
    limit: usd('The limit'),
  }),
  'drawdown.tripped': z.object({
    at: moment,
    below: usd('How far profit is below its highest'),
    limit: usd('The limit').nullable(),
  }),
  'blueprint.changed': z.object({
    id: z.string().meta({ description: 'The blueprint.' }),
    status: z
      .enum(BLUEPRINT_STATUSES)
      .optional()
      .meta({ description: 'The status it has now, where it changed.' }),
    deploymentId: z.string().optional(),
    error: z.string().optional().meta({ description: 'What failed, in words.' }),
    code: z.string().optional().meta({ description: 'What failed, for programs.' }),
    deleted: z.boolean().optional(),
    tags: z.array(z.string()).optional(),
  }),
  'connection.changed': z.object({
    id: z.string().meta({ description: 'The connection.' }),
    state: z.enum(CONNECTION_STATES),
    stateCode: z.string().nullable().meta({ description: 'Why, for programs.' }),
  }),
  'backtest.finished': z.object({ backtestId: z.string(), status: z.enum(JOB_STATUSES) }),
  'sweep.finished': z.object({ sweepId: z.string(), status: z.enum(JOB_STATUSES) }),
  'notice.raised': z.looseObject({
    kind: z.string().meta({ description: 'The kind of notification it becomes.' }),
  }),
  notification: z.looseObject({
    kind: z.string(),
    text: z.string().meta({ description: 'What a person should read.' }),
  }),
} as const satisfies Record<string, z.ZodObject>;

export type AccountEventType = keyof typeof PAYLOADS;

/** An event of one of the types, with its payload. */
export type EventOf<Type extends AccountEventType = AccountEventType> = {
  [Each in Type]: { type: Each; payload: z.input<(typeof PAYLOADS)[Each]> };
}[Type];
