import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { base, newGuest } from './browser.ts';
import { showAll } from './scenes.ts';

/** The rules that the colours of a page decide about. */
const COLOURS = ['color-contrast', 'link-in-text-block'];

/**
 * What axe finds on the whole page, each with where it is. Dark, as the page is opened, is held to every rule; of light,
 * which differs in its colours alone, the rules about those are asked, at a fraction of the time.
 */
export async function violations(page: Page): Promise<string[]> {
  const dark = await asked(new AxeBuilder({ page }));
  return [...dark, ...(await inLight(page, () => inLightAsked(page)))];
}

async function inLightAsked(page: Page): Promise<string[]> {
  const faults = await asked(new AxeBuilder({ page }).withRules(COLOURS));
  return faults.map((fault) => `in light ${fault}`);
}

async function asked(axe: AxeBuilder): Promise<string[]> {
  const { violations: found } = await axe.analyze();
  return found.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id} at ${target.join(' ')}`));
}

/** The scene as it stands, seen by somebody whose system turns light. */
async function inLight<Seen>(page: Page, see: () => Promise<Seen>): Promise<Seen> {
  const ink = () => page.evaluate(() => getComputedStyle(document.body).color);
  const dark = await ink();
  await page.emulateMedia({ colorScheme: 'light' });
  await expect.poll(ink).not.toBe(dark);
  // What fades from one colour to the other is looked at when it has.
  await page.waitForTimeout(300);
  const seen = await see();
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(ink).toBe(dark);
  return seen;
}

/** Parts of the component library whose stylesheet was never imported: their classes are in no rule. */
const unstyled = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const rules = (list: CSSRuleList): string[] =>
      [...list].flatMap((rule) =>
        ('cssRules' in rule ? rules(rule.cssRules as CSSRuleList) : []).concat(
          rule instanceof CSSStyleRule ? rule.selectorText : [],
        ),
      );
    const styled = [...document.styleSheets].flatMap((sheet) => rules(sheet.cssRules)).join(' ');
    const classes = [...document.querySelectorAll('[class*="m_"]')].flatMap((element) => [
      ...element.classList,
    ]);
    return [...new Set(classes)]
      .filter((name) => /^m_[0-9a-f]{6,8}$/.test(name) && !styled.includes(name))
      .map((name) => `no style for ${document.querySelector(`.${name}`)?.className}`);
  });

/** What axe finds on every page, menu and open dialog, empty and full, in both modes, each with the scene it was found in. */
export async function axeFinds(): Promise<string[]> {
  await using guest = await newGuest({ colorScheme: 'dark', reducedMotion: 'reduce' });
  const { page } = guest;
  const found: string[] = [];
  const look = async (scene: string) => {
    const faults = [...(await violations(page)), ...(await unstyled(page))];
    found.push(...faults.map((fault) => `${scene}: ${fault}`));
  };
  await showAll(guest, look);
  await page.goto(`${base}/docs`);
  await page.locator('summary', { hasText: 'Deploy a blueprint' }).click();
  await look('/docs');
  await page.getByRole('link', { name: 'Try POST /api/blueprints/{id}/deploy' }).click();
  await page.getByText('Test Request').first().waitFor();
  await page.waitForTimeout(500);
  found.push(...(await asked(new AxeBuilder({ page }))).map((fault) => `the playground: ${fault}`));
  // The playground chooses its colours when it is loaded.
  await page.emulateMedia({ colorScheme: 'light' });
  await page.reload();
  await page.getByText('Test Request').first().waitFor();
  await page.waitForTimeout(500);
  found.push(...(await inLightAsked(page)).map((fault) => `the playground: ${fault}`));
  return found;
}
