import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { bearer } from '../support/api.ts';
import { openedForFile } from '../support/opened.ts';
import { trpcClient } from '../support/trpc-client.ts';
import { ORIGIN, openWorld } from '../support/world.ts';

const world = openedForFile(openWorld);

const clientOf = (headers: Record<string, string>) => trpcClient(world, headers);
const person = async () => clientOf({ cookie: (await world.signUp()).cookie, origin: ORIGIN });

test('a person renames a key: the key stays valid, the audit trail has both names once, and no other account can', async () => {
  const own = await person();
  const { id, key } = await own.apiKeys.create.mutate({
    name: 'Old',
    scopes: ['api_keys:write'],
  });
  await own.console.renameKey.mutate({ id, name: '  Reporting ' });
  await own.console.renameKey.mutate({ id, name: 'Reporting' });
  expect(await clientOf(bearer(key)).apiKeys.list.query({})).toMatchObject([{ id, name: 'Reporting' }]);
  const trail = await own.audit.list.query({});
  expect(trail.filter(({ action }) => action === 'api_key.renamed')).toMatchObject([
    { subjectId: id, before: { name: 'Old' }, after: { name: 'Reporting' } },
  ]);

  const refused = (code: string) => ({ data: { error: { code } } });
  await expect((await person()).console.renameKey.mutate({ id, name: 'Mine' })).rejects.toMatchObject(
    refused('not_found'),
  );
  await expect(own.console.renameKey.mutate({ id: randomUUID(), name: 'x' })).rejects.toMatchObject(
    refused('not_found'),
  );
  await expect(own.console.renameKey.mutate({ id, name: ' ' })).rejects.toMatchObject(
    refused('validation_failed'),
  );
  await expect(clientOf(bearer(key)).console.renameKey.mutate({ id, name: 'x' })).rejects.toMatchObject(
    refused('session_required'),
  );
});
