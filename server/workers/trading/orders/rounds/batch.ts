/** Most orders one look takes of each kind. */
export const BATCH = 200;
