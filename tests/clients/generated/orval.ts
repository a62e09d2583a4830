import { blueprintsCreate, blueprintsList, marketDataCrypto, ordersApprove } from './made/api.js';

declare const process: { argv: string[] };
declare const console: { log: (text: string) => void };
const [, , url = '', key = ''] = process.argv;

// The generated client calls the page's own address, without credentials: a program has to add both.
const platform = globalThis.fetch;
globalThis.fetch = (input, init) => {
  const headers = new Headers(init?.headers);
  headers.set('authorization', `Bearer ${key}`);
  return platform(new URL(String(input), url), { ...init, headers });
};
const made = await blueprintsCreate({ name: 'Generated' }, { headers: { 'Idempotency-Key': 'generated' } });
const listed = await blueprintsList({ limit: 10 });
const refused = await ordersApprove(made.status === 200 ? made.data.id : '');
const quote = await marketDataCrypto({ symbol: 'BTCUSDT' });
console.log(
  JSON.stringify({
    made: made.status === 200 ? made.data.name : null,
    listed: listed.status === 200 ? listed.data.length : null,
    refused: refused.status === 404 ? refused.data.error.code : null,
    price: quote.status === 200 && quote.data.kind === 'summary' ? typeof quote.data.price : null,
  }),
);
