import { router } from '../trpc.ts';
import { send } from './send-application.ts';

export const careers = router({ send });
