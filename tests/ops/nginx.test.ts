import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { restRoutes } from '../../openapi/routes.ts';

test('the sample for nginx passes every event stream on as it comes', () => {
  const sample = readFileSync(new URL('../../ops/nginx.conf', import.meta.url), 'utf8');
  const [, unbuffered = ''] = /location ~ (\S+) \{ proxy_buffering off;/.exec(sample) ?? [];
  const streams = restRoutes.filter(({ promises }) => promises.file?.media === 'text/event-stream');
  const paths = streams.map(({ path }) => path);
  expect(paths).toContain('/api/events');
  for (const path of [...paths, '/trpc/events.subscribe', '/live/trpc/events.subscribe'])
    expect(path).toMatch(new RegExp(unbuffered));
});
