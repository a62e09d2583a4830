import { router } from '../trpc.ts';
import { read } from './read.ts';

export const exports = router({ read });
