import { router } from '../trpc.ts';
import { cancelHistoryImport } from './cancel-import.ts';
import { coverage } from './coverage.ts';
import { exportFile } from './export.ts';
import { requestHistory } from './import.ts';
import { imports } from './imports.ts';

export const history = router({
  coverage,
  import: requestHistory,
  imports,
  cancelImport: cancelHistoryImport,
  exportFile,
});
