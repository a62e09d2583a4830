import { router } from '../trpc.ts';
import { close } from './close.ts';
import { history } from './history.ts';
import { positions } from './positions.ts';
import { statistics } from './statistics.ts';
import { summary } from './summary.ts';
import { writeOff } from './write-off.ts';

export const portfolio = router({ summary, positions, close, writeOff, history, statistics });
