import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { FULL, VIEWS } from './support/picture-scenes.ts';
import { showReplayed } from './support/replayed.ts';

const PAGES = [
  'overview',
  'blueprints',
  'orders',
  'portfolio',
  'coins',
  'risk',
  'connections',
  'notifications',
  'a running graph',
  'an approval',
];
const treeFile = (name: string) => path.join(import.meta.dirname, 'trees', `${name}.yml`);

/** Parts of a page arrive one after another: its tree is read until it is the accepted one, or no longer than this. */
const READS_MAX = 20;
const READ_MS = 500;

const DESK = VIEWS['desk-dark'];
/** The room that a page has on that screen at 200 %. */
const ZOOMED = { width: DESK.viewport.width / 2, height: DESK.viewport.height / 2 };

/** A page as a screen reader reads it, and its faults by condition. */
type Seen = {
  readonly tree: string;
  readonly faults: { readonly zoomed: string[]; readonly forced: string[]; readonly moving: string[] };
};

async function treeOf(page: Page, name: string): Promise<string> {
  const accepted = existsSync(treeFile(name)) ? readFileSync(treeFile(name), 'utf8') : null;
  let tree = '';
  for (let read = 0; read < READS_MAX && tree !== accepted; read += 1) {
    await page.waitForTimeout(READ_MS);
    tree = `${await page.locator('main').ariaSnapshot()}\n`;
  }
  return tree;
}

async function look(page: Page, name: string): Promise<Seen> {
  const tree = await treeOf(page, name);
  const moving = await page.evaluate(stillMoving);
  await page.emulateMedia({ forcedColors: 'active' });
  const forced = [...(await page.evaluate(withoutFocus)), ...(await page.evaluate(withoutChoice))];
  await page.emulateMedia({ forcedColors: 'none' });
  await page.setViewportSize(ZOOMED);
  const zoomed = await page.evaluate(tooWide);
  await page.setViewportSize(DESK.viewport);
  return { tree, faults: { zoomed, forced, moving } };
}

function stillMoving(): string[] {
  return document
    .getAnimations()
    .filter(({ playState }) => playState === 'running')
    .map(({ effect }) => (effect as KeyframeEffect).target?.outerHTML.slice(0, 140) ?? 'an animation');
}

function tooWide(): string[] {
  const px = document.documentElement.scrollWidth - innerWidth;
  return px > 0 ? [`${px} px too wide`] : [];
}

/** Controls that have the same edges with the focus as without it; a field may show it on what holds it. */
function withoutFocus(): string[] {
  const edges = (part: Element) => {
    const { outlineStyle, outlineWidth, borderColor, borderWidth } = getComputedStyle(part);
    return `${outlineStyle} ${outlineWidth} ${borderColor} ${borderWidth}`;
  };
  const controls = document.querySelectorAll<HTMLElement>(
    'a[href], button, input, select, textarea, summary, [tabindex="0"]',
  );
  return [...controls]
    .filter((control) => {
      const around = () => [control, control.parentElement ?? control].map(edges).join();
      (document.activeElement as HTMLElement | null)?.blur();
      const before = around();
      control.focus();
      return document.activeElement === control && around() === before;
    })
    .map((control) => `no focus on ${control.outerHTML.slice(0, 140)}`);
}

/** Chosen entries that look like one beside them that is not chosen. */
function withoutChoice(): string[] {
  const chosen = '[aria-current]:not([aria-current=false]), [aria-selected=true], [aria-pressed=true]';
  const look = (entry: Element) => {
    const { border, outline, backgroundColor, color, fontWeight } = getComputedStyle(entry);
    return `${border} ${outline} ${backgroundColor} ${color} ${fontWeight}`;
  };
  return [...document.querySelectorAll(chosen)]
    .filter((entry) => {
      const list = entry.closest('ul, nav, table, [role=tablist], [role=listbox]') ?? entry.parentElement;
      const others = [...(list?.querySelectorAll(`${entry.tagName}:not(${chosen})`) ?? [])];
      return others.some((other) => other.className === entry.className && look(other) === look(entry));
    })
    .map((entry) => `looks not chosen: ${entry.outerHTML.slice(0, 140)}`);
}

describe('ten pages', () => {
  const seen = new Map<string, Seen>();
  const faults = (condition: keyof Seen['faults']) =>
    [...seen].flatMap(([name, page]) => page.faults[condition].map((fault) => `${name}: ${fault}`));

  beforeAll(async () => {
    const scenes = FULL.filter(({ name }) => PAGES.includes(name));
    const missed = await showReplayed('full', scenes, DESK, async (page, { name }) => {
      seen.set(name, await look(page, name));
    });
    expect(missed).toEqual([]);
    expect([...seen.keys()].sort()).toEqual(PAGES.toSorted());
  }, 300_000);

  test.each(PAGES)('%s is read by a screen reader as it was accepted', async (name) => {
    await expect(seen.get(name)?.tree).toMatchFileSnapshot(treeFile(name));
  });

  test('do not scroll sideways at 200 %', () => {
    expect(faults('zoomed')).toEqual([]);
  });

  test('show the focus and what is chosen in forced colours', () => {
    expect(faults('forced')).toEqual([]);
  });

  test('have no motion if the system asks for less', () => {
    expect(faults('moving')).toEqual([]);
  });
});
