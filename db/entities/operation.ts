import { defineEntity, p } from '@mikro-orm/postgresql';
import { moment } from '../columns.ts';

/** When a command of operators last ended, and how: metrics show it. One row a command. */
export const OperationRun = defineEntity({
  name: 'OperationRun',
  tableName: 'operation_run',
  properties: {
    name: p.string().length(40).primary(),
    endedAt: moment(),
    isOk: p.boolean(),
    /** When it last ended well; null where it never did. */
    lastOkAt: moment().nullable(),
  },
});
