import { router } from '../trpc.ts';
import { preview } from './preview.ts';
import { read } from './read.ts';
import { readOptional } from './read-optional.ts';
import { update } from './update.ts';
import { updateOptional } from './update-optional.ts';
import { usage } from './usage.ts';

export const riskRules = router({ read, update, preview, usage, readOptional, updateOptional });
