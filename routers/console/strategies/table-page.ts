import { z } from 'zod';
import { moment, queryInteger, singleLineText } from '../../schemas.ts';

export const TABLE_LIMIT_DEFAULT = 50;

/** The input of a table's page, except the position where the page before ended. */
export const TABLE_PAGE = {
  limit: queryInteger(1, 200).optional(),
  /** Words in a row. */
  find: singleLineText(1, 100).optional(),
  from: moment.optional(),
  to: moment.optional(),
  isAscending: z.boolean().optional(),
};
