import { router } from '../trpc.ts';
import { create } from './create.ts';
import { remove } from './delete.ts';
import { deploy } from './deploy.ts';
import { list } from './list.ts';
import { nodeTypes } from './node-types.ts';
import { performance } from './performance.ts';
import { read } from './read.ts';
import { release } from './release.ts';
import { releases } from './releases.ts';
import { restore } from './restore.ts';
import { setTags } from './set-tags.ts';
import { statistics } from './statistics.ts';
import { stop } from './stop.ts';
import { stopAll } from './stop-all.ts';
import { tags } from './tags.ts';
import { update } from './update.ts';
import { validate } from './validate.ts';

/** `stopAll` and `tags` stand before what takes `{id}`: their paths are static. */
export const blueprints = router({
  list,
  create,
  stopAll,
  tags,
  read,
  update,
  delete: remove,
  deploy,
  stop,
  validate,
  nodeTypes,
  releases,
  release,
  restore,
  setTags,
  performance,
  statistics,
});
