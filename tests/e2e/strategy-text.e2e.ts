import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { parseStrategy } from '../../client/src/strategy-text/index.ts';
import { newGuest, open } from './support/browser.ts';
import { edges, nodePositions, nodes, SOON, saved } from './support/editor.ts';
import { buysAtOnce, drafted } from './support/strategies.ts';

/** The first strategy that the manual writes as text. */
const [, CROSSING = ''] =
  /```strategy\n(.*?)```/s.exec(readFileSync(new URL('../../docs/strategies.md', import.meta.url), 'utf8')) ??
  [];

const textbox = (page: Page) => page.getByRole('textbox', { name: 'Strategy text' });
async function writtenIn(page: Page): Promise<string> {
  await textbox(page).waitFor();
  return (await textbox(page).locator('.cm-line').allTextContents()).join('\n');
}

async function typed(page: Page, text: string): Promise<void> {
  await textbox(page).focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(text);
}

describe('a strategy as text', () => {
  test('the manual’s first one is written and applied by keyboard alone, drawn, and undone by one key', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    const { id } = await drafted(guest, { nodes: [], edges: [] });
    await open(page, `/blueprints/${id}`);
    await page.getByRole('tab', { name: 'Graph' }).focus();
    await page.keyboard.press('ArrowRight');
    await typed(page, CROSSING);
    const apply = page.getByRole('button', { name: 'Apply' });
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Shift+Tab');
    expect(await apply.evaluate((button) => button === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await saved(page);
    await page.getByRole('tab', { name: 'Graph' }).focus();
    await page.keyboard.press('Enter');
    const read = parseStrategy(CROSSING);
    if (!read.ok) throw new Error(JSON.stringify(read.errors));
    await expect.poll(() => nodes(page).count(), SOON).toBe(read.visual.nodes.length);
    expect(await edges(page).count()).toBe(read.visual.edges.length);
    await page.locator('.canvas').focus();
    await page.keyboard.press('Control+z');
    await expect.poll(() => nodes(page).count()).toBe(0);
  });

  test('errors name their lines, in the words of the command line, and nothing is applied', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    const { id } = await drafted(guest, buysAtOnce(10));
    await open(page, `/blueprints/${id}?tab=text`);
    const before = await writtenIn(page);
    const undoLeaves = async (text: string) => {
      await textbox(page).focus();
      await page.keyboard.press('Control+z');
      expect(await writtenIn(page)).toBe(text);
      expect(await page.getByRole('button', { name: 'Apply' }).isEnabled()).toBe(false);
      expect(await page.getByRole('tab', { name: 'Text', exact: true }).count()).toBe(1);
    };
    await undoLeaves(before);
    const faulty = 'close = crypto.candle("BTCUSDT", 5m)\nup = crossesAbov(close, 9)\nbuy = order(close';
    await typed(page, faulty);
    const read = parseStrategy(faulty);
    const errors = read.ok ? [] : read.errors.map(({ line, message }) => `Line ${line}: ${message}`);
    expect(errors.map((error) => error.slice(0, 7))).toEqual(['Line 3:', 'Line 2:']);
    await expect.poll(() => page.locator('.notice.bad').allTextContents()).toEqual(errors);
    await page.locator('.cm-lint-marker-error').first().waitFor();
    expect(await page.getByRole('button', { name: 'Apply' }).isEnabled()).toBe(false);
    await page.getByRole('tab', { name: 'Graph' }).click();
    await expect.poll(() => nodes(page).count()).toBe(5);
    await page.getByRole('tab', { name: 'Text, not applied' }).click();
    expect(await writtenIn(page)).toBe(faulty);
    await page.getByRole('button', { name: 'Discard' }).click();
    await expect.poll(() => writtenIn(page)).toBe(before);
    await undoLeaves(before);
  });

  test('typed text is not lost by leaving or a deploy, and replaces a newer draft only if the user says so', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    const { id } = await drafted(guest, buysAtOnce(10));
    await open(page, `/blueprints/${id}?tab=text`);
    const before = await writtenIn(page);
    const mine = before.replace('"notional", 10', '"notional", 30');
    await typed(page, mine);
    await page.getByRole('button', { name: 'Deploy…' }).click();
    await page.getByText('What you typed is not applied.').waitFor();
    expect(await page.getByRole('alertdialog').count()).toBe(0);
    await page.getByRole('link', { name: 'Risk' }).first().click();
    const question = page.getByRole('alertdialog', { name: /with edits that are not saved/ });
    await question.getByText('What you typed is not applied.').waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    // A rename reads the draft that was stored from elsewhere.
    await guest.api('PUT', `/api/blueprints/${id}`, { visual: buysAtOnce(20) });
    await page.getByLabel('Name of the strategy').fill('Newer');
    const read = page.waitForResponse(/console\.blueprint(?!s)/);
    await page.keyboard.press('Enter');
    await read;
    expect(await writtenIn(page)).toBe(mine);
    const notional = async () => {
      const { visual } = await guest.api<{ visual: { nodes: { id: string; data: { config: object } }[] } }>(
        'GET',
        `/api/blueprints/${id}`,
      );
      return visual.nodes.find((node) => node.id === 'amount')?.data.config;
    };
    await page.getByRole('button', { name: 'Apply', exact: true }).click();
    await page.getByText('The strategy has changed since you began to type.').waitFor();
    expect(await notional()).toMatchObject({ notional: 20 });
    await page.getByRole('button', { name: 'Apply anyway' }).click();
    await expect.poll(notional, SOON).toMatchObject({ notional: 30 });
  });

  test('a change of the text moves nothing, and what the service finds stands at its line', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    const { id } = await drafted(guest, buysAtOnce(10));
    await open(page, `/blueprints/${id}`);
    await expect.poll(() => nodes(page).count(), SOON).toBe(5);
    const positions = await nodePositions(page);
    await page.getByRole('tab', { name: 'Text' }).click();
    const before = await writtenIn(page);
    const line = before.split('\n').findIndex((each) => each.includes('"notional"')) + 1;
    await typed(page, before.replace('"notional", 10', '"notional", -5'));
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.locator('.notice.bad', { hasText: new RegExp(`^Line ${line}: `) }).waitFor();
    await page.getByRole('tab', { name: 'Graph' }).click();
    await expect.poll(() => nodePositions(page), SOON).toEqual(positions);
  });

  test('names, functions, arguments and choices are completed by keys', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    const { id } = await drafted(guest, { nodes: [], edges: [] });
    await open(page, `/blueprints/${id}?tab=text`);
    await textbox(page).focus();
    const complete = async (letters: string, option: string) => {
      await page.keyboard.type(letters);
      await page.locator('.cm-tooltip-autocomplete li[aria-selected]', { hasText: option }).waitFor();
      await page.waitForTimeout(100);
      await page.keyboard.press('Enter');
    };
    await complete('price = crypto.pri', 'crypto.price');
    await page.keyboard.type('("BTCUSDT", ');
    await complete('fie', 'field: ');
    await complete('as', '"ask"');
    await page.keyboard.type(')\n');
    await complete('far = pri', 'price');
    await page.keyboard.type(' > 5');
    expect(await writtenIn(page)).toBe('price = crypto.price("BTCUSDT", field: "ask")\nfar = price > 5');
  });

  test('what text cannot say is named: a whole strategy, or fields of its edges', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    const visual = { nodes: [{ id: 'a', type: 'oracle', data: {} }], edges: [] };
    const { id } = await drafted(guest, visual);
    await open(page, `/blueprints/${id}?tab=text`);
    await page.getByText(/Text cannot say this strategy.*There is no node type "oracle"/).waitFor();
    expect(await textbox(page).count()).toBe(0);
    const styled = buysAtOnce(10);
    const edges = styled.edges.map((edge) => ({ ...edge, animated: true }));
    const other = await drafted(guest, { ...styled, edges }, 'Styled');
    await open(page, `/blueprints/${other.id}?tab=text`);
    await page.getByText('Text says the ends of edges alone').waitFor();
  });
});
