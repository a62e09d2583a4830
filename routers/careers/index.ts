import { router } from '../trpc.ts';
import { send } from './send.ts';

export const careers = router({ send });
