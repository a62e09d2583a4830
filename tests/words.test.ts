import { expect, test } from 'vitest';
import { z } from 'zod';
import { restRoutes } from '../openapi/routes.ts';
import { parsedSync } from '../routers/schemas.ts';

const JUNK = [undefined, null, {}, [], [{}], '', 'x', 'x'.repeat(3_000), -1, 0.5, 1e300, true];

async function messagesOf(schema: z.ZodType, sent: unknown): Promise<string[]> {
  const error: unknown = await schema.parseAsync(sent).catch((thrown: unknown) => thrown);
  return error instanceof z.ZodError ? error.issues.map(({ message }) => message) : [];
}

test('no operation refuses in the words of a library, whatever is sent', async () => {
  const messages = new Set<string>();
  for (const { input } of restRoutes) {
    for (const name of Object.keys(input?.shape ?? {})) {
      for (const junk of JUNK) {
        if (input) for (const message of await messagesOf(input, { [name]: junk })) messages.add(message);
      }
    }
  }
  const foreign = [...messages].filter((text) => /^(Invalid|Too |Unrecognized key|expected )/.test(text));
  // The service says itself which fields it does not know.
  expect(foreign).toEqual([]);
  expect(messages.size).toBeGreaterThan(20);
});

test('a refusal says what is missing, and what is taken instead', async () => {
  const schema = parsedSync(
    z.strictObject({
      name: z.string(),
      side: z.enum(['buy', 'sell']),
      tags: z.array(z.string()).max(2),
      at: z.iso.datetime(),
    }),
  );
  expect(await messagesOf(schema, { side: 'hold', tags: ['a', 'b', 'c'], at: 'today' })).toEqual([
    'is missing',
    'takes buy, sell',
    'takes at most 2 entries',
    'takes a moment in ISO 8601, such as 2026-11-25T12:00:00Z',
  ]);
});
