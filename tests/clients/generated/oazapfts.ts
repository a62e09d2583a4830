import { blueprintsCreate, blueprintsList, defaults, marketDataCrypto, ordersApprove } from './made/api.js';

declare const process: { argv: string[] };
declare const console: { log: (text: string) => void };
const [, , url = '', key = ''] = process.argv;

defaults.baseUrl = url;
defaults.headers = { authorization: `Bearer ${key}` };
const made = await blueprintsCreate({ name: 'Generated' }, { idempotencyKey: 'generated' });
const listed = await blueprintsList({ limit: 10 });
const id = made.status === 200 ? made.data.id : '';
const refused = await ordersApprove(id);
const quote = await marketDataCrypto({ $symbol: 'BTCUSDT' });
console.log(
  JSON.stringify({
    made: made.status === 200 ? made.data.name : null,
    listed: listed.status === 200 ? listed.data.length : null,
    refused: refused.status === 404 ? refused.data.error.code : null,
    price: quote.status === 200 && quote.data.kind === 'summary' ? typeof quote.data.price : null,
  }),
);
