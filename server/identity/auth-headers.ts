/** Where the framework looks for the client's address. Only the handler of its routes sets it. */
export const CLIENT_ADDRESS_HEADER = 'x-internal-client-ip';
/** And where our hooks in it find the request's id. */
export const REQUEST_ID_HEADER = 'x-internal-request-id';
