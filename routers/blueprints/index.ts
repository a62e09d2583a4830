import { router } from '../trpc.ts';
import { create } from './create.ts';
import { remove } from './delete.ts';
import { deploy } from './deploy.ts';
import { explain } from './explain.ts';
import { list } from './list.ts';
import { nodeTypes } from './node-types.ts';
import { read } from './read.ts';
import { performance } from './record/performance.ts';
import { statistics } from './record/statistics.ts';
import { redeploy } from './redeploy.ts';
import { release } from './releases/release.ts';
import { releases } from './releases/releases.ts';
import { restore } from './releases/restore.ts';
import { setTags } from './set-tags.ts';
import { stop } from './stop.ts';
import { stopAll } from './stop-all.ts';
import { tags } from './tags.ts';
import { update } from './update.ts';
import { validate } from './validate.ts';
import { validateDrawing } from './validate-drawing.ts';

/** `stopAll`, `tags` and `validateDrawing` stand before routes with `{id}`: their paths are static. */
export const blueprints = router({
  list,
  create,
  stopAll,
  tags,
  validateDrawing,
  read,
  update,
  delete: remove,
  deploy,
  redeploy,
  stop,
  validate,
  explain,
  nodeTypes,
  releases,
  release,
  restore,
  setTags,
  performance,
  statistics,
});
