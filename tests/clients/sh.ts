import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Runs a program to its end; what it wrote, or an error with it. */
export const sh = promisify(execFile);
