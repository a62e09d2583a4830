import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { type Guest, newGuest, open } from './support/browser.ts';
import { buysAtOnce, drafted } from './support/strategies.ts';

const SOON = { timeout: 15_000 };

const nodes = (page: Page) => page.locator('.react-flow__node');
const mark = (page: Page) => page.locator('.page-head [role=status]').last();
const saved = (page: Page) =>
  mark(page)
    .getByText(/^saved/)
    .waitFor();
const notSaved = (page: Page) =>
  mark(page)
    .getByText(/^not saved/)
    .waitFor();
const question = (page: Page) => page.getByRole('alertdialog', { name: /with edits that are not saved/ });

/** Opens a draft of five steps and waits until it is drawn. */
async function edited(guest: Guest, name?: string): Promise<string> {
  const { id } = await drafted(guest, buysAtOnce(10), name);
  await open(guest.page, `/blueprints/${id}`);
  await nodes(guest.page).first().waitFor();
  return id;
}

/** Adds one more step: a copy of an existing one. */
async function addStep(page: Page): Promise<void> {
  await page.locator('[data-id=floor]').click();
  await page.keyboard.press('d');
}

async function storedSteps(guest: Guest, id: string): Promise<number> {
  const { visual } = await guest.api<{ visual: { nodes: unknown[] } }>('GET', `/api/blueprints/${id}`);
  return visual.nodes.length;
}

const go = (page: Page, title: string) => page.getByRole('link', { name: title }).first().click();

describe('the saving of a draft', () => {
  test('opening another blueprint leaves the previous one unchanged', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    const one = buysAtOnce(10).nodes.slice(0, 1);
    const small = await drafted(guest, { nodes: one, edges: [] }, 'Small');
    const full = await edited(guest, 'Full');
    for (const name of ['Small', 'Full', 'Small', 'Full']) {
      await page.keyboard.press('Control+k');
      const search = page.getByPlaceholder('Page, strategy or action');
      await search.fill(name);
      await page.getByRole('button', { name: new RegExp(`^${name}\\s*Draft$`) }).click();
      await search.waitFor({ state: 'detached' });
      await expect.poll(() => nodes(page).count(), SOON).toBe(name === 'Full' ? 5 : 1);
    }
    await page.waitForTimeout(2_000);
    expect(await storedSteps(guest, small.id)).toBe(1);
    expect(await storedSteps(guest, full)).toBe(5);
  });

  test('a read that began before a save takes nothing back', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    const id = await edited(guest);
    let held = 0;
    await page.route(/console\.blueprint/, async (route) => {
      held++;
      const answer = await route.fetch();
      await new Promise((resolve) => setTimeout(resolve, 4_000));
      await route.fulfill({ response: answer }).catch(() => {});
    });
    await page.waitForTimeout(10_100);
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
    await expect.poll(() => held, SOON).toBeGreaterThan(0);
    await addStep(page);
    await expect.poll(() => storedSteps(guest, id), SOON).toBe(6);
    await page.waitForTimeout(5_000);
    expect(await nodes(page).count()).toBe(6);
    expect(await page.getByRole('button', { name: 'Undo' }).isEnabled()).toBe(true);
    await addStep(page);
    await expect.poll(() => storedSteps(guest, id), SOON).toBe(7);
    expect(await page.getByText('Changed elsewhere').count()).toBe(0);
  });

  test('without a network no edit is shown as saved, and edits are saved once it is back', async () => {
    await using guest = await newGuest();
    const { context, page } = guest;
    const id = await edited(guest);
    await context.setOffline(true);
    await addStep(page);
    await page.keyboard.press('Control+s');
    await page.getByText('Not saved', { exact: true }).waitFor();
    expect(await page.getByText('Saved', { exact: true }).count()).toBe(0);
    await notSaved(page);
    await page.getByRole('button', { name: 'Deploy…' }).click();
    await page.getByText('Not saved, so it cannot be deployed.').waitFor();
    await context.setOffline(false);
    await saved(page);
    expect(await storedSteps(guest, id)).toBe(6);
  });

  test('leaving edits that cannot be saved asks first', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    const id = await edited(guest);
    await page.route(/blueprints\.update/, (route) => route.abort());
    await addStep(page);
    await notSaved(page);
    await go(page, 'Risk');
    await question(page).getByRole('button', { name: 'Cancel' }).click();
    expect(page.url()).toContain(id);
    expect(await nodes(page).count()).toBe(6);
    await go(page, 'Risk');
    await question(page).getByRole('button', { name: 'Leave without the edits' }).click();
    await page.waitForURL(/\/risk/);
    await page.unroute(/blueprints\.update/);
    await page.goBack();
    await expect.poll(() => nodes(page).count(), SOON).toBe(5);
    await page.waitForTimeout(2_000);
    expect(await storedSteps(guest, id)).toBe(5);
  });

  test('reloading over an edit asks first, and leaving the page saves first', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    const id = await edited(guest);
    const dialogTypes: string[] = [];
    page.on('dialog', (dialog) => {
      dialogTypes.push(dialog.type());
      void dialog.dismiss();
    });
    await addStep(page);
    await page.evaluate(() => location.reload());
    await expect.poll(() => dialogTypes, SOON).toEqual(['beforeunload']);
    expect(await nodes(page).count()).toBe(6);
    await addStep(page);
    await go(page, 'Risk');
    await page.waitForURL(/\/risk/);
    expect(await question(page).count()).toBe(0);
    expect(await storedSteps(guest, id)).toBe(7);
  });

  test('typed JSON stays while the graph is edited, and replacing that or leaving asks first', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    await edited(guest);
    await page.getByRole('tab', { name: 'JSON' }).click();
    await page.getByRole('textbox', { name: 'Strategy JSON' }).click();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText('{"nodes":[],"edges":[]}');
    await page.getByRole('tab', { name: 'Graph' }).click();
    await addStep(page);
    await page.getByRole('tab', { name: 'JSON, not applied' }).click();
    expect(await page.getByRole('textbox', { name: 'Strategy JSON' }).textContent()).toBe(
      '{"nodes":[],"edges":[]}',
    );
    await page.getByRole('button', { name: 'Apply', exact: true }).click();
    await page.getByRole('button', { name: 'Apply anyway' }).waitFor();
    await go(page, 'Risk');
    await question(page).getByText('What you typed is not applied.').waitFor();
  });

  test('a draft deployed elsewhere shows the deployed graph, and local edits become a new draft', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    const id = await edited(guest, 'Runs');
    await addStep(page);
    await guest.api('POST', `/api/blueprints/${id}/deploy`);
    const notice = page.getByRole('alert').filter({ hasText: 'Deployed elsewhere' });
    await notice.waitFor();
    await expect.poll(() => nodes(page).count(), SOON).toBe(5);
    expect(await page.getByLabel('Name of the strategy').isEditable()).toBe(false);
    await go(page, 'Risk');
    await question(page).getByRole('button', { name: 'Cancel' }).click();
    await notice.getByRole('button', { name: 'Keep them as a new draft' }).click();
    await expect.poll(() => page.getByLabel('Name of the strategy').inputValue(), SOON).toBe('Runs copy');
    await expect.poll(() => nodes(page).count(), SOON).toBe(6);
    expect(await storedSteps(guest, id)).toBe(5);
  });

  test('a rename is reported once it is done, and not reported when it is refused', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    const id = await edited(guest, 'Before');
    const name = page.getByLabel('Name of the strategy');
    await page.route(/blueprints\.update/, (route) => route.abort());
    await name.fill('Refused');
    await name.press('Enter');
    await expect.poll(() => name.inputValue(), SOON).toBe('Before');
    expect(await page.getByText('Renamed.').count()).toBe(0);
    await page.unroute(/blueprints\.update/);
    await name.fill('After');
    await name.press('Enter');
    await page.getByText('Renamed.').waitFor();
    expect((await guest.api<{ name: string }>('GET', `/api/blueprints/${id}`)).name).toBe('After');
    await page.getByText('Renamed.').getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => name.inputValue(), SOON).toBe('Before');
  });

  test('a conflict that cannot be resolved says so; a draft that runs by then is no conflict', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    // Without the live stream the page learns of the deploy only by the answer to the button.
    await page.route(/\/trpc\/events/, (route) => route.abort());
    const id = await edited(guest);
    await guest.api('PUT', `/api/blueprints/${id}`, { visual: buysAtOnce(20) });
    await addStep(page);
    const conflict = page.getByRole('alert').filter({ hasText: 'Changed elsewhere' });
    await conflict.waitFor();
    await page.route(/console\.blueprint/, (route) => route.abort());
    await page.getByRole('button', { name: 'Take the stored one' }).click();
    await conflict.getByText('Not done: the service does not answer.').waitFor();
    await page.unroute(/console\.blueprint/);
    await guest.api('POST', `/api/blueprints/${id}/deploy`);
    await page.getByRole('button', { name: 'Save mine over it' }).click();
    await page.getByRole('alert').filter({ hasText: 'Deployed elsewhere' }).waitFor();
    expect(await conflict.count()).toBe(0);
    expect(await nodes(page).count()).toBe(5);
  });

  test('a session that ends during an edit leads to sign-in; the edit is kept and saved afterwards', async () => {
    await using guest = await newGuest();
    const { context, page } = guest;
    const id = await edited(guest);
    // Every later request is refused as signed out, so the edit must be there first.
    await addStep(page);
    await context.clearCookies();
    await page.waitForURL(/\/sign-in/);
    await page.getByLabel('E-mail').fill(guest.email);
    await page.getByLabel('Password', { exact: true }).fill(guest.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(new RegExp(`/blueprints/${id}`));
    await expect.poll(() => nodes(page).count(), SOON).toBe(6);
    await expect.poll(() => storedSteps(guest, id), SOON).toBe(6);
  });

  test('a restored release replaces unsaved edits, which an undo brings back', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    const id = await edited(guest);
    await guest.api('POST', `/api/blueprints/${id}/deploy`);
    await guest.api('POST', `/api/blueprints/${id}/stop`);
    await open(page, `/blueprints/${id}`);
    await nodes(page).first().waitFor();
    await guest.api('PUT', `/api/blueprints/${id}`, { visual: buysAtOnce(20) });
    await addStep(page);
    await page.getByRole('alert').filter({ hasText: 'Changed elsewhere' }).waitFor();
    await page.getByRole('tab', { name: 'Releases' }).click();
    await page.getByRole('button', { name: 'Restore…' }).click();
    await page.getByRole('button', { name: 'Restore release 1' }).click();
    await page.getByText('Release 1 is the draft now.').waitFor();
    await page.getByRole('tab', { name: 'Graph' }).click();
    await expect.poll(() => nodes(page).count(), SOON).toBe(5);
    await saved(page);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => nodes(page).count(), SOON).toBe(6);
  });
});
