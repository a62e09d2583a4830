import { router } from '../trpc.ts';
import { applyTrial } from './apply.ts';
import { cancel } from './cancel.ts';
import { remove } from './delete.ts';
import { list } from './list.ts';
import { read } from './read.ts';
import { start } from './start.ts';
import { trials } from './trials.ts';

export const sweeps = router({ list, start, read, cancel, delete: remove, trials, applyTrial });
