import type { Page } from 'playwright-core';
import { type Guest, open } from './browser.ts';
import { withDust } from './dust.ts';
import { showGraph } from './editor.ts';
import { buysAtOnce, deployed, drafted } from './strategies.ts';

/** Two groups: one shows its steps, one is folded. */
export function groupedGraph() {
  return {
    ...buysAtOnce(10),
    groups: [
      { id: 'signal', name: 'Signal', color: 'blue', nodes: ['price', 'floor'] },
      { id: 'entry', name: 'Entry', color: 'green', collapsed: true, nodes: ['above', 'amount'] },
    ],
  };
}

/** Makes a blueprint of two releases that differ in one setting. Returns its id. */
export async function releasedTwice(guest: Guest): Promise<string> {
  const { id } = await deployed(guest, buysAtOnce(10), 'Released twice');
  await guest.api('POST', `/api/blueprints/${id}/stop`);
  await guest.api('PUT', `/api/blueprints/${id}`, { visual: buysAtOnce(12) });
  await guest.api('POST', `/api/blueprints/${id}/deploy`);
  await guest.api('POST', `/api/blueprints/${id}/stop`);
  return id;
}

/** Adds dust to the positions reported to this page, until the page is left: no snapshot of the stream is newer. */
export const addDust = (page: Page): Promise<unknown> =>
  page.route(
    ({ pathname }) => pathname.includes('/trpc/') && pathname.includes('console.account'),
    async (route) => {
      const response = await route.fetch();
      const body = withDust(await response.text()).replace(
        /"asOf":"[^"]+"/,
        // Newer than what the stream sends. The page takes what is two minutes ahead for a wrong clock.
        `"asOf":"${new Date(Date.now() + 100_000).toISOString()}"`,
      );
      await route.fulfill({ response, body });
    },
  );

type CheckScene = (scene: string) => Promise<void>;

/** Shows the dialogs and menus of the editor and of releases, and dust, for a user who holds a position. */
export async function showEditorScenes(guest: Guest, check: CheckScene): Promise<void> {
  const { page } = guest;
  await showTry(guest, check);
  await showGroups(guest, check);
  await open(page, `/blueprints/${await releasedTwice(guest)}?tab=releases`);
  await page.locator('.node-card.changed').waitFor();
  await check('two releases on one canvas');
  await page.locator('.change-list button').first().click();
  await page.locator('.node-card.changed.selected').waitFor();
  await check('a change that was chosen');
  await addDust(page);
  await open(page, '/portfolio');
  await page.getByText('dust', { exact: true }).first().waitFor();
  await check('dust');
  await page.unrouteAll({ behavior: 'ignoreErrors' });
}

async function showTry(guest: Guest, check: CheckScene): Promise<void> {
  const { page } = guest;
  const { id } = await drafted(guest, buysAtOnce(10), 'To be tried');
  await open(page, `/blueprints/${id}?node=buy`);
  await page.getByRole('button', { name: 'Try on live data' }).click();
  await page.getByText('No order was sent, and nothing is stored.').waitFor();
  await check('a step that was tried');
}

async function showGroups(guest: Guest, check: CheckScene): Promise<void> {
  const { page } = guest;
  const { id } = await drafted(guest, groupedGraph(), 'In groups');
  await open(page, `/blueprints/${id}`);
  await page.locator('.react-flow__node, .node-line').first().waitFor();
  if (await page.locator('.node-line').count()) await showGraph(page);
  await page.locator('.group-head').first().waitFor();
  await check('groups, open and folded');
  await page.locator('[data-id="group:signal"] .group-head .node-title').click();
  await page.getByLabel('Name of the group').waitFor();
  await check('a group that is chosen');
}
