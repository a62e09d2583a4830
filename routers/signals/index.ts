import { router } from '../trpc.ts';
import { create } from './create.ts';
import { list } from './list.ts';
import { remove } from './remove.ts';
import { rotate } from './rotate.ts';
import { send } from './send.ts';
import { update } from './update.ts';

export const signals = router({ list, create, update, send, rotate, remove });
