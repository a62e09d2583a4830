import { router } from '../trpc.ts';
import { approve, cancel, reject } from './decide.ts';
import { list } from './list.ts';
import { read } from './read.ts';

export const orders = router({ list, read, approve, reject, cancel });
