import { client } from './made/client.gen.js';
import { blueprintsCreate, blueprintsList, marketDataCrypto, ordersApprove } from './made/sdk.gen.js';

declare const process: { argv: string[] };
declare const console: { log: (text: string) => void };
const [, , url = '', key = ''] = process.argv;

client.setConfig({ baseUrl: url, auth: key });
const made = await blueprintsCreate({
  body: { name: 'Generated' },
  headers: { 'Idempotency-Key': 'generated' },
});
const listed = await blueprintsList({ query: { limit: 10 } });
const refused = await ordersApprove({ path: { id: made.data?.id ?? '' } });
const quote = await marketDataCrypto({ query: { symbol: 'BTCUSDT' } });
console.log(
  JSON.stringify({
    made: made.data?.name,
    listed: listed.data?.length,
    refused: refused.error?.error.code,
    price: quote.data?.kind === 'summary' ? typeof quote.data.price : null,
  }),
);
