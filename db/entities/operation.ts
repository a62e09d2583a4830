import { defineEntity, p } from '@mikro-orm/postgresql';
import { moment } from '../columns.ts';

/** The last end of an operator's command, and its outcome, for the metrics. One row a command. */
export const OperationRun = defineEntity({
  name: 'OperationRun',
  properties: {
    name: p.string().length(40).primary(),
    endedAt: moment(),
    isOk: p.boolean(),
    /** Its last success; null if there was none. */
    lastOkAt: moment().nullable(),
  },
});
