import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { base, newGuest } from './browser.ts';
import { showAll } from './scenes.ts';

/** What axe finds on the whole page, each with where it is. */
async function violations(page: Page): Promise<string[]> {
  const { violations: found } = await new AxeBuilder({ page }).analyze();
  return found.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id} at ${target.join(' ')}`));
}

/** What axe finds on every page, menu and open dialog, empty and full, each with the scene it was found in. */
export async function axeFinds(colorScheme: 'dark' | 'light'): Promise<string[]> {
  await using guest = await newGuest({ colorScheme, reducedMotion: 'reduce' });
  const { page } = guest;
  const found: string[] = [];
  const look = async (scene: string) => {
    found.push(...(await violations(page)).map((violation) => `${scene}: ${violation}`));
  };
  await showAll(guest, look);
  await page.goto(`${base}/docs`);
  await page.locator('summary', { hasText: 'Deploy a blueprint' }).click();
  await look('/docs');
  await page.getByRole('link', { name: 'Try POST /api/blueprints/{id}/deploy' }).click();
  await page.getByText('Test Request').first().waitFor();
  await page.waitForTimeout(500);
  await look('the playground');
  return found;
}
