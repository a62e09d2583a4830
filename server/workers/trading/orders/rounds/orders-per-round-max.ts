/** The most orders of each kind that one round takes. */
export const ORDERS_PER_ROUND_MAX = 200;
