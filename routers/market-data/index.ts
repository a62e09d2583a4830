import { router } from '../trpc.ts';
import { crypto } from './crypto.ts';
import { venueA } from './venue-a.ts';
import { venueB } from './venue-b.ts';

export const marketData = router({ venueA, venueB, crypto });
