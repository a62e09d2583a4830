import { router } from '../trpc.ts';
import { exportFile } from './export.ts';

export const account = router({ export: exportFile });
