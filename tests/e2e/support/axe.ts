import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { base, newGuest } from './browser.ts';
import { showAll } from './scenes.ts';
import { tooSmall } from './targets.ts';

/** The rules whose result depends on the colours of a page. */
const COLOURS = ['color-contrast', 'link-in-text-block'];

/**
 * Returns axe's findings for the whole page, each with its position. The dark page is checked by every rule. Light mode differs
 * only in its colours, so only the rules about colours run, in a fraction of the time.
 */
export async function violations(page: Page): Promise<string[]> {
  const dark = await runAxe(page);
  return [...dark, ...(await inLight(page, () => inLightAsked(page)))];
}

async function inLightAsked(page: Page): Promise<string[]> {
  const faults = await runAxe(page, COLOURS);
  return faults.map((fault) => `in light ${fault}`);
}

/** Injected in place of axe where the document has it from an earlier run: each injection compiles 600 kB, twice a run. */
const NOTHING_MORE = ';';

/** Runs all rules, or these. The page has no frames, and only violations are returned, which saves time. */
async function runAxe(page: Page, rules?: string[]): Promise<string[]> {
  const hasAxe = await page.evaluate(() => 'axe' in window);
  const axe = new AxeBuilder({ page, ...(hasAxe && { axeSource: NOTHING_MORE }) })
    .setLegacyMode()
    .options({ resultTypes: ['violations'] });
  const { violations: found } = await (rules ? axe.withRules(rules) : axe).analyze();
  return found.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id} at ${target.join(' ')}`));
}

/** Runs `see` on the same scene with the system's light mode. */
async function inLight<Seen>(page: Page, see: () => Promise<Seen>): Promise<Seen> {
  await changeColours(page, 'light');
  const seen = await see();
  await changeColours(page, 'dark');
  return seen;
}

/** Changes the system's mode, and waits until every colour has its final value: colours fade. */
async function changeColours(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  const before = await page.evaluate(() => getComputedStyle(document.body).color);
  await page.emulateMedia({ colorScheme });
  await page.waitForFunction((was) => getComputedStyle(document.body).color !== was, before);
  await page.waitForTimeout(300);
  await page.waitForFunction(() =>
    document.getAnimations().every((animation) => !(animation instanceof CSSTransition)),
  );
}

/** Parts of the component library whose stylesheet was never imported: no rule has their classes. */
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

/** Faults, each with its scene. */
export type Faults = { readonly axe: readonly string[]; readonly small: readonly string[] };

const MOUSE_TARGET_PX = 24;

/**
 * Finds the faults of every page, menu and open dialog, empty and full: by axe in both modes, and by target size for a mouse.
 */
export async function faultsOfAll(): Promise<Faults> {
  await using guest = await newGuest({ colorScheme: 'dark' });
  const { page } = guest;
  const axe: string[] = [];
  const small = new Map<string, string>();
  const check = async (scene: string) => {
    for (const control of await tooSmall(page, MOUSE_TARGET_PX)) small.set(control, scene);
    const faults = [...(await violations(page)), ...(await unstyled(page))];
    axe.push(...faults.map((fault) => `${scene}: ${fault}`));
  };
  await showAll(guest, check);
  axe.push(...(await docsFaults(page)));
  return { axe, small: [...small].map(([control, scene]) => `${scene}: ${control}`) };
}

/** The playground compiles megabytes of script when it loads, which takes a busy machine longer than any page. */
const PLAYGROUND_MS = 60_000;

/** The page of the API description, and its playground, in both modes. */
async function docsFaults(page: Page): Promise<string[]> {
  const playground = page.getByText('Test Request').first();
  page.setDefaultTimeout(PLAYGROUND_MS);
  await page.goto(`${base}/docs`);
  await page.locator('summary', { hasText: 'Deploy a blueprint' }).click();
  const plain = [...(await violations(page)), ...(await unstyled(page))];
  await page.getByRole('link', { name: 'Try POST /api/blueprints/{id}/deploy' }).click();
  await playground.waitFor();
  await page.waitForTimeout(500);
  const dark = await runAxe(page);
  // The playground chooses its colours when it loads.
  await page.emulateMedia({ colorScheme: 'light' });
  await page.reload();
  await playground.waitFor();
  await page.waitForTimeout(500);
  const light = await inLightAsked(page);
  return [
    ...plain.map((fault) => `/docs: ${fault}`),
    ...[...dark, ...light].map((fault) => `the playground: ${fault}`),
  ];
}
