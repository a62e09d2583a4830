import { router } from '../trpc.ts';
import { create } from './create.ts';
import { deliveries } from './deliveries.ts';
import { list } from './list.ts';
import { options } from './options.ts';
import { read } from './read.ts';
import { remove } from './remove.ts';
import { replay } from './replay.ts';
import { replaySpan } from './replay-span.ts';
import { rotate } from './rotate.ts';
import { test } from './test.ts';
import { update } from './update.ts';

export const notifications = router({
  options,
  list,
  create,
  read,
  update,
  remove,
  rotate,
  test,
  replaySpan,
  deliveries,
  replay,
});
