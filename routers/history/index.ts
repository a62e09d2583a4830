import { router } from '../trpc.ts';
import { coverage } from './coverage.ts';

export const history = router({ coverage });
