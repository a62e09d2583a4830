/** The most orders of each kind that one round takes. */
export const BATCH = 200;
