/** The header in which the framework finds the client's address. Only the handler of its routes sets it. */
export const CLIENT_ADDRESS_HEADER = 'x-internal-client-ip';
/** The header in which our hooks find the request's id. */
export const REQUEST_ID_HEADER = 'x-internal-request-id';
