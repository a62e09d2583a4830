import { router } from '../trpc.ts';
import { approve } from './approve.ts';
import { cancel } from './cancel.ts';
import { list } from './list.ts';
import { place } from './place.ts';
import { read } from './read.ts';
import { reject } from './reject.ts';

export const orders = router({ list, place, read, approve, reject, cancel });
