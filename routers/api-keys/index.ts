import { router } from '../trpc.ts';
import { create } from './create.ts';
import { list } from './list.ts';
import { revoke } from './revoke.ts';
import { rotate } from './rotate.ts';

export const apiKeys = router({ list, create, rotate, revoke });
