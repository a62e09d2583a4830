import { router } from '../../trpc.ts';
import { accounts } from './accounts.ts';
import { endSessions } from './end-sessions.ts';
import { drain, operations } from './operations.ts';
import { setLimits } from './set-limits.ts';
import { resume, suspend } from './suspensions.ts';

/** The operator's page. For all but operators none of these exist. */
export const operator = router({ accounts, drain, endSessions, operations, resume, setLimits, suspend });
