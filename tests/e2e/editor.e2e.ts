import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { newGuest, open } from './support/browser.ts';
import { buysAtOnce, drafted } from './support/strategies.ts';

const SOON = { timeout: 15_000 };

const nodes = (page: Page) => page.locator('.react-flow__node');
const edges = (page: Page) => page.locator('.react-flow__edge');
const saved = (page: Page) => page.getByText(/^saved/).waitFor();
const add = (page: Page, title: string) =>
  page.locator('.node-palette').getByRole('button', { name: title, exact: true }).click();

const places = (page: Page) =>
  nodes(page).evaluateAll((all) =>
    all.map((node) => `${node.getAttribute('data-id')} ${(node as HTMLElement).style.transform}`),
  );

describe('the editor', () => {
  test('R20: ports that do not fit are not connected, and neither are circles', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    const { id } = await drafted(guest, { nodes: [], edges: [] });
    await open(page, `/blueprints/${id}`);
    await add(page, 'Schedule');
    await add(page, 'Math');
    await add(page, 'Math');
    await expect.poll(() => nodes(page).count()).toBe(3);
    const choices = async () => page.getByLabel('Connect to…').locator('option').allTextContents();
    await page.locator('[data-id=schedule]').click();
    expect((await choices()).join()).not.toMatch(/Math/);
    await page.locator('[data-id=math]').click();
    await page.getByLabel('Connect to…').selectOption({ index: 1 });
    await page
      .locator('.connecting', { has: page.getByLabel('Connect to…') })
      .getByRole('button')
      .click();
    await expect.poll(() => edges(page).count()).toBe(1);
    await page.locator('[data-id=math-2]').click();
    expect((await choices()).filter((choice) => choice.startsWith('Math'))).toEqual([]);
  });

  test('R20: what is missing is listed while drawing, and deploying waits for it', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    const { id } = await drafted(guest, { nodes: [], edges: [] });
    await open(page, `/blueprints/${id}`);
    await add(page, 'Order');
    await page.getByText(/^Problems \(\d+\)/).waitFor();
    expect(await page.locator('.problems button').count()).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'Deploy…' }).click();
    await page
      .getByRole('alertdialog')
      .getByText(/has to be mended|have to be mended/)
      .waitFor();
    expect(
      await page
        .getByRole('alertdialog')
        .getByRole('button', { name: /^Deploy/ })
        .isEnabled(),
    ).toBe(false);
  });

  test('R20: a hundred edits can be undone and redone, and tidying twice changes nothing', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    const { id } = await drafted(guest, buysAtOnce(10));
    await open(page, `/blueprints/${id}`);
    for (let step = 0; step < 100; step++) await add(page, 'Constant');
    await expect.poll(() => nodes(page).count()).toBe(105);
    for (let step = 0; step < 100; step++) await page.keyboard.press('Control+z');
    await expect.poll(() => nodes(page).count()).toBe(5);
    for (let step = 0; step < 100; step++) await page.keyboard.press('Control+Shift+z');
    await expect.poll(() => nodes(page).count()).toBe(105);
    for (let step = 0; step < 100; step++) await page.keyboard.press('Control+z');
    await page.keyboard.press('Shift+Alt+t');
    await page.waitForTimeout(400);
    const once = await places(page);
    await page.keyboard.press('Shift+Alt+t');
    await page.waitForTimeout(400);
    expect(await places(page)).toEqual(once);
  }, 120_000);

  test('R5: a strategy is drawn, connected and moved by keyboard alone', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    const { id } = await drafted(guest, { nodes: [], edges: [] });
    await open(page, `/blueprints/${id}`);
    await page.keyboard.press('/');
    await page.keyboard.type('crypto price');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect.poll(() => nodes(page).count()).toBe(1);
    await page.locator('.node-palette input').fill('compare');
    await page.locator('.node-palette input').press('Tab');
    await page.keyboard.press('Enter');
    await expect.poll(() => nodes(page).count()).toBe(2);
    await page.getByLabel('a (number)').focus();
    await page.keyboard.press('ArrowDown');
    expect(await edges(page).count()).toBe(0);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect.poll(() => edges(page).count()).toBe(1);
    const before = await places(page);
    await page.locator('[data-id=compare]').focus();
    await page.keyboard.press('Alt+ArrowDown');
    await page.keyboard.press('Alt+ArrowDown');
    await expect.poll(() => places(page)).not.toEqual(before);
    expect(
      await page.evaluate(() => getComputedStyle(document.activeElement ?? document.body).outlineStyle),
    ).toBe('solid');
    await saved(page);
    const stored = await guest.api<{ visual: { edges: unknown[] } }>('GET', `/api/blueprints/${id}`);
    expect(stored.visual.edges).toHaveLength(1);
  });

  test('R5: arrows go along the connections, Enter opens the inspector, F2 renames, D duplicates', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    const { id } = await drafted(guest, buysAtOnce(10));
    await open(page, `/blueprints/${id}`);
    const before = await places(page);
    const at = () => page.evaluate(() => document.activeElement?.getAttribute('data-id'));
    const chosen = () =>
      page.locator('.react-flow__node.selected').evaluateAll((all) => all.map((node) => node.dataset['id']));
    await page.locator('[data-id=price]').focus();
    for (const [key, step] of [
      ['ArrowRight', 'above'],
      ['ArrowDown', 'amount'],
      ['ArrowRight', 'buy'],
      ['ArrowLeft', 'above'],
      ['ArrowLeft', 'price'],
      ['ArrowDown', 'floor'],
    ] as const) {
      await page.keyboard.press(key);
      expect(await at(), `${key} to ${step}`).toBe(step);
    }
    expect(await places(page)).toEqual(before);
    await page.keyboard.press('Shift+ArrowRight');
    await expect.poll(chosen).toEqual(['floor', 'above', 'buy']);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate(() => document.activeElement?.className)).toBe('inspector');
    await page.keyboard.press('Escape');
    expect(await at()).toBe('above');
    await page.keyboard.press('F2');
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('node-label');
    await page.keyboard.type('Dear');
    await page.keyboard.press('Escape');
    await page.locator('[data-id=above]').getByText('Dear').waitFor();
    await page.keyboard.press('d');
    await expect.poll(() => nodes(page).count()).toBe(6);
    await page.keyboard.press('?');
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    for (const key of ['F2', 'Enter', 'D, Ctrl D', 'Arrows', 'Alt arrows', 'Shift Alt T']) {
      expect(await sheet.getByText(key, { exact: true }).count(), key).toBeGreaterThan(0);
    }
  });

  test('an arrow key chooses what to connect and connects nothing; the focus stays beside what was made or cut', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    const { id } = await drafted(guest, { nodes: buysAtOnce(10).nodes, edges: [] });
    await open(page, `/blueprints/${id}`);
    await page.locator('[data-id=above]').click();
    const from = page.getByLabel('a (number)');
    await from.focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    expect(await edges(page).count()).toBe(0);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect.poll(() => edges(page).count()).toBe(1);
    const focused = () =>
      page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.id);
    await expect.poll(focused).toBe('Disconnect Constant');
    await page.keyboard.press('Enter');
    await expect.poll(() => edges(page).count()).toBe(0);
    await expect.poll(focused).toBe('input-a');
  });

  test('a new draft has the focus on its drawing', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    await open(page, '/blueprints?do=new');
    await page.getByLabel('Name').fill('Drawn at once');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/blueprints\/[\da-f-]{36}$/);
    await expect.poll(() => page.evaluate(() => document.activeElement?.className)).toBe('canvas');
  });

  test('a market is watched in a new blueprint, or in a draft beside what it has already', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    const { id } = await drafted(guest, buysAtOnce(10), 'Goes on');
    await open(page, '/markets?venue=crypto');
    await page.locator('.market-list button').first().click();
    await page.getByRole('button', { name: 'Use in a blueprint…' }).click();
    await page.getByRole('menuitem', { name: 'Goes on' }).click();
    await page.waitForURL(new RegExp(`/blueprints/${id}`));
    await expect.poll(() => nodes(page).count()).toBe(6);
    await page.locator('.inspector').getByText('market-price').waitFor();
    const stored = await guest.api<{ visual: { nodes: { id: string }[]; edges: unknown[] } }>(
      'GET',
      `/api/blueprints/${id}`,
    );
    expect(stored.visual.nodes.map((node) => node.id)).toEqual([
      ...buysAtOnce(10).nodes.map((node) => node.id),
      'market-price',
    ]);
    expect(stored.visual.edges).toHaveLength(5);

    await open(page, '/markets');
    await page.locator('.market-list button').first().click();
    await page.getByRole('button', { name: 'Use in a blueprint…' }).click();
    await page.getByRole('menuitem', { name: 'New blueprint' }).click();
    await expect.poll(() => nodes(page).count(), SOON).toBe(1);
    expect(await page.getByLabel('Name of the blueprint').inputValue()).toMatch(/^Watch /);
  });

  test('R5: every page is reached by keys, and ? lists them', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    await open(page, '/');
    for (const [key, title] of [
      ['b', 'Blueprints'],
      ['o', 'Orders'],
      ['p', 'Portfolio'],
      ['m', 'Markets'],
      ['r', 'Risk'],
      ['k', 'API keys'],
      ['a', 'Activity'],
    ] as const) {
      await page.keyboard.press('g');
      await page.keyboard.press(key);
      await page.locator('h1', { hasText: title }).waitFor();
    }
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('A page, a blueprint or an action').fill('risk');
    await page.keyboard.press('Enter');
    await page.locator('h1', { hasText: 'Risk' }).waitFor();
    await open(page, '/settings');
    await page.getByLabel(/Single keys act/).uncheck({ force: true });
    await page.keyboard.press('g');
    await page.keyboard.press('b');
    expect(await page.locator('h1').textContent()).toBe('Settings');
  });

  test('an edit over somebody else’s overwrites nothing: a person chooses, and what gave way can be brought back', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    const { id } = await drafted(guest, buysAtOnce(10));
    const store = (notional: number) =>
      guest.api('PUT', `/api/blueprints/${id}`, { visual: buysAtOnce(notional) });
    const stored = async () => {
      const { visual } = await guest.api<{ visual: ReturnType<typeof buysAtOnce> }>(
        'GET',
        `/api/blueprints/${id}`,
      );
      const config = (step: string) => visual.nodes.find((node) => node.id === step)?.data.config;
      return [config('floor'), config('amount')];
    };
    const drawing = (floor: number, notional: number) => [{ value: floor }, { mode: 'notional', notional }];
    const draw = async (value: string) => {
      await page.locator('[data-id=floor]').click();
      await page.getByLabel('Value').fill(value);
    };
    const conflict = page.getByRole('alert').filter({ hasText: 'Changed elsewhere' });
    await open(page, `/blueprints/${id}`);
    await page.locator('[data-id=floor]').waitFor();

    await store(20);
    await draw('77');
    await conflict.waitFor();
    expect(await stored()).toEqual(drawing(1, 20));
    await page.getByRole('button', { name: 'Deploy…' }).click();
    expect(await page.getByRole('alertdialog').count()).toBe(0);
    await page.getByRole('button', { name: 'Take the stored one' }).click();
    await conflict.waitFor({ state: 'detached' });
    expect(await stored()).toEqual(drawing(1, 20));
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(stored, { timeout: 10_000 }).toEqual(drawing(77, 10));

    await store(30);
    await draw('88');
    await conflict.waitFor();
    expect(await stored()).toEqual(drawing(1, 30));
    await page.getByRole('button', { name: 'Save mine over it' }).click();
    await conflict.waitFor({ state: 'detached' });
    await expect.poll(stored, { timeout: 10_000 }).toEqual(drawing(88, 10));
    await guest.api('PUT', `/api/blueprints/${id}`, { name: 'Only a new name' });
    await draw('99');
    await saved(page);
    expect(await stored()).toEqual(drawing(99, 10));
    expect(await conflict.count()).toBe(0);
  });

  test('edits are saved by themselves and can be undone then too, and a JSON edit is one step of them', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    const { id } = await drafted(guest, buysAtOnce(10));
    await open(page, `/blueprints/${id}`);
    await page.locator('[data-id=floor]').click();
    await page.getByLabel('Value').fill('77');
    await page.getByText('unsaved edits').waitFor();
    await saved(page);
    const { visual } = await guest.api<{ visual: { nodes: { id: string; data: { config: unknown } }[] } }>(
      'GET',
      `/api/blueprints/${id}`,
    );
    expect(visual.nodes.find((node) => node.id === 'floor')?.data.config).toEqual({ value: 77 });
    expect(await page.getByLabel('Value').inputValue()).toBe('77');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => page.getByLabel('Value').inputValue()).toBe('1');
    await page.getByRole('tab', { name: 'JSON' }).click();
    const code = page.getByRole('textbox', { name: 'Blueprint JSON' });
    await code.click();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText(
      '{"nodes":[{"id":"one","type":"constant","position":{"x":0,"y":0},"data":{"config":{"value":1}}}],"edges":[]}',
    );
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('tab', { name: 'Graph' }).click();
    await expect.poll(() => nodes(page).count()).toBe(1);
    await page.keyboard.press('Control+z');
    await expect.poll(() => nodes(page).count()).toBe(5);
  });

  test('JSON that is no drawing is neither applied nor imported, and it is said why', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    const { id } = await drafted(guest, buysAtOnce(10));
    const [node] = buysAtOnce(10).nodes;
    const edge = { id: 'e', source: 'price', target: 'gone' };
    const faults = [
      ['[]', /has to be an object/],
      ['{"hello":1}', /have to be lists/],
      [JSON.stringify({ nodes: [{}], edges: [] }), /object with an `id`/],
      [JSON.stringify({ nodes: [node, node], edges: [] }), /Two nodes have the id “price”/],
      [JSON.stringify({ nodes: [node], edges: [edge] }), /Each edge/],
    ] as const;
    await open(page, `/blueprints/${id}?tab=json`);
    const code = page.getByRole('textbox', { name: 'Blueprint JSON' });
    for (const [json, why] of faults) {
      await code.click();
      await page.keyboard.press('Control+a');
      await page.keyboard.insertText(json);
      await page.locator('.notice').getByText(why).waitFor();
      expect(await page.getByRole('button', { name: 'Apply' }).isEnabled()).toBe(false);
    }
    await page.getByRole('button', { name: 'Discard' }).click();
    await open(page, '/blueprints');
    const choose = (json: string) =>
      page
        .locator('input[type=file]')
        .setInputFiles({ name: 'file.json', mimeType: 'application/json', buffer: Buffer.from(json) });
    for (const [json, why] of faults) {
      await choose(json);
      await page.locator('.mantine-Notification-root').getByText(why).last().waitFor();
    }
    await choose(JSON.stringify({ name: 'Named in the file', visual: buysAtOnce(10) }));
    await expect
      .poll(() => page.getByLabel('Name of the blueprint').inputValue(), { timeout: 15_000 })
      .toBe('Named in the file');
    expect(await guest.api<unknown[]>('GET', '/api/blueprints')).toHaveLength(2);
  });

  test('a connection is chosen by a click and deleted, and one undo brings it back', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    const { id } = await drafted(guest, buysAtOnce(10));
    await open(page, `/blueprints/${id}`);
    await expect.poll(() => edges(page).count()).toBe(5);
    const middle = await page
      .locator('.react-flow__edge[data-id=e5] path')
      .first()
      .evaluate((path) => {
        const line = path as SVGPathElement;
        const { x, y } = line.getPointAtLength(line.getTotalLength() / 2);
        const at = new DOMPoint(x, y).matrixTransform(line.getScreenCTM() ?? undefined);
        return { x: at.x, y: at.y };
      });
    await page.mouse.click(middle.x, middle.y);
    await page.keyboard.press('Delete');
    await page.getByText('Deleted 1 connection.').waitFor();
    await expect.poll(() => edges(page).count()).toBe(4);
    expect(await nodes(page).count()).toBe(5);
    await page.keyboard.press('Control+z');
    await expect.poll(() => edges(page).count()).toBe(5);
  });

  test('a step that is added is seen, wherever it lands', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    const { id } = await drafted(guest, { nodes: [], edges: [] });
    await open(page, `/blueprints/${id}`);
    const canvas = await page.locator('.canvas').boundingBox();
    if (!canvas) throw new Error('There is no canvas.');
    for (let step = 1; step <= 5; step++) {
      await add(page, 'Constant');
      await expect
        .poll(async () => {
          const box = await nodes(page)
            .nth(step - 1)
            .boundingBox();
          return box && box.x >= canvas.x && box.x + box.width <= canvas.x + canvas.width;
        }, SOON)
        .toBe(true);
    }
  });

  test('one undo takes back what was typed in a field in one go', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    const { id } = await drafted(guest, buysAtOnce(10));
    await open(page, `/blueprints/${id}`);
    await page.locator('[data-id=floor]').click();
    const name = page.getByLabel('Name', { exact: true });
    await name.pressSequentially('Lowest price');
    await page.getByLabel('Value').fill('');
    await page.getByLabel('Value').pressSequentially('123');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => page.getByLabel('Value').inputValue()).toBe('1');
    expect(await name.inputValue()).toBe('Lowest price');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => name.inputValue()).toBe('');
  });

  test('words marked on the page are copied as words, and a step as a step', async () => {
    await using guest = await newGuest();
    const { context, page } = guest;
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const [, , above] = buysAtOnce(10).nodes;
    const { id } = await drafted(guest, { nodes: [above], edges: [] });
    await open(page, `/blueprints/${id}`);
    const problem = page.locator('.problems button').first();
    await problem.waitFor();
    const words = await problem.evaluate((row) => {
      getSelection()?.selectAllChildren(row);
      return getSelection()?.toString();
    });
    await page.keyboard.press('Control+c');
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText()), SOON).toBe(words);
    await page.evaluate(() => getSelection()?.removeAllRanges());
    await page.locator('[data-id=above]').click();
    await page.keyboard.press('Control+c');
    await page.keyboard.press('Control+v');
    await expect.poll(() => nodes(page).count(), SOON).toBe(2);
  });
});
