import { router } from '../trpc.ts';
import { cancelAll } from './cancel-all.ts';
import { cancelEverywhere } from './cancel-everywhere.ts';
import { create } from './create.ts';
import { differences } from './differences.ts';
import { halt } from './halt.ts';
import { list } from './list.ts';
import { read } from './read.ts';
import { remove } from './remove.ts';
import { check } from './request-check.ts';
import { resolveDifference } from './resolve-difference.ts';
import { resume } from './resume.ts';
import { rotate } from './rotate.ts';
import { update } from './update.ts';

export const venueConnections = router({
  list,
  create,
  read,
  update,
  remove,
  check,
  halt,
  resume,
  cancelAll,
  cancelEverywhere,
  rotate,
  differences,
  resolveDifference,
});
