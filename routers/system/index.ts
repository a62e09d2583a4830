import { router } from '../trpc.ts';
import { health } from './health.ts';
import { ready } from './ready.ts';

export const system = router({ health, ready });
