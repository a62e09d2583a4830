import { expect, test } from 'vitest';
import { bearer } from '../support/api.ts';
import { openedForFile } from '../support/opened.ts';
import { trpcClient } from '../support/trpc-client.ts';
import { ORIGIN, openWorld } from '../support/world.ts';

const world = openedForFile(openWorld);

const clientOf = (headers: Record<string, string>) => trpcClient(world, headers).console;

test('a person resets the paper account, which changes nothing without trades; a key cannot', async () => {
  const { cookie } = await world.signUp();
  const { resetPaper } = clientOf({ cookie, origin: ORIGIN });
  expect(await resetPaper.mutate({})).toEqual({ cash: 10_000, moved: 0 });
  await expect(clientOf(bearer((await world.account()).key)).resetPaper.mutate({})).rejects.toMatchObject({
    data: { error: { code: 'session_required' } },
  });
});
