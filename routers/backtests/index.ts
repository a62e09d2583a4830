import { router } from '../trpc.ts';
import { cancel } from './cancel.ts';
import { compare } from './compare.ts';
import { remove } from './delete.ts';
import { equity } from './equity.ts';
import { equityFile } from './equity-csv.ts';
import { list } from './list.ts';
import { log } from './log.ts';
import { orders } from './orders.ts';
import { read } from './read.ts';
import { report } from './report.ts';
import { resultFile } from './result-json.ts';
import { start } from './start.ts';
import { trades } from './trades.ts';
import { tradesFile } from './trades-csv.ts';
import { update } from './update.ts';

/** `compare` stands before routes with `{id}`: its path is static. */
export const backtests = router({
  list,
  start,
  compare,
  read,
  update,
  delete: remove,
  cancel,
  trades,
  orders,
  log,
  equity,
  report,
  tradesFile,
  equityFile,
  resultFile,
});
