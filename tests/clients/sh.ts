import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Runs a program to its end; returns its output, or throws an error with it. */
export const sh = promisify(execFile);
