import type { Mode } from '../db/columns.ts';

/** The one mode there is for now. It is part of every key that counts money, so that a second one changes no table. */
export const MODE: Mode = 'paper';
