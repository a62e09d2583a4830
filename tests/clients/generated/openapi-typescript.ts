import createClient from 'openapi-fetch';
import type { paths } from './made/schema.js';

declare const process: { argv: string[] };
declare const console: { log: (text: string) => void };
const [, , url = '', key = ''] = process.argv;

const client = createClient<paths>({ baseUrl: url, headers: { authorization: `Bearer ${key}` } });
const made = await client.POST('/api/blueprints', {
  params: { header: { 'Idempotency-Key': 'generated' } },
  body: { name: 'Generated' },
});
const listed = await client.GET('/api/blueprints', { params: { query: { limit: 10 } } });
const refused = await client.POST('/api/orders/{id}/approve', {
  params: { path: { id: made.data?.id ?? '' } },
});
const quote = await client.GET('/api/crypto', { params: { query: { symbol: 'BTCUSDT' } } });
console.log(
  JSON.stringify({
    made: made.data?.name,
    listed: listed.data?.length,
    refused: refused.error?.error.code,
    price: quote.data?.kind === 'summary' ? typeof quote.data.price : null,
  }),
);
