import { router } from '../trpc.ts';
import { head } from './head.ts';
import { list } from './list.ts';

export const audit = router({ list, head });
