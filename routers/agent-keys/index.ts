import { router } from '../trpc.ts';
import { create } from './create.ts';
import { list } from './list.ts';

export const agentKeys = router({ list, create });
