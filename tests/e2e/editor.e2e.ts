import { describe, expect, test } from 'vitest';
import { newGuest, open } from './support/browser.ts';
import { add, edges, nodePositions, nodes, SOON, saved } from './support/editor.ts';
import { buysAtOnce, drafted } from './support/strategies.ts';

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

  test('R20: missing parts are listed during editing, and block the deploy', async () => {
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
      .getByText(/has to be fixed|have to be fixed/)
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
    await add(page, 'Constant');
    // The button has the focus: a key presses it again, without a search for it on a canvas that grows.
    for (let step = 1; step < 100; step++) await page.keyboard.press('Enter');
    await expect.poll(() => nodes(page).count()).toBe(105);
    for (let step = 0; step < 100; step++) await page.keyboard.press('Control+z');
    await expect.poll(() => nodes(page).count()).toBe(5);
    for (let step = 0; step < 100; step++) await page.keyboard.press('Control+Shift+z');
    await expect.poll(() => nodes(page).count()).toBe(105);
    for (let step = 0; step < 100; step++) await page.keyboard.press('Control+z');
    const untidy = await nodePositions(page);
    await page.keyboard.press('Shift+Alt+t');
    await expect.poll(() => nodePositions(page), SOON).not.toEqual(untidy);
    await page.waitForTimeout(400);
    const once = await nodePositions(page);
    await page.keyboard.press('Shift+Alt+t');
    await page.waitForTimeout(400);
    expect(await nodePositions(page)).toEqual(once);
  }, 120_000);

  test('a market is watched in a new blueprint, or in a draft beside its existing steps', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    const { id } = await drafted(guest, buysAtOnce(10), 'Continues');
    await open(page, '/markets?venue=crypto');
    // The list shows each coin's price and its change over a day.
    await expect
      .poll(() => page.locator('.market-list button[data-row=BTCUSDT]').textContent(), SOON)
      .toMatch(/^BTC\/USDT\$[\d,.]+[+−]?[\d.]+%/);
    await page.locator('.market-list button').first().click();
    await page.getByRole('button', { name: 'Use in a strategy…' }).click();
    await page.getByRole('menuitem', { name: 'Continues' }).click();
    await page.waitForURL(new RegExp(`/blueprints/${id}`));
    await expect.poll(() => nodes(page).count(), SOON).toBe(6);
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
    await page.getByRole('button', { name: 'Use in a strategy…' }).click();
    await page.getByRole('menuitem', { name: 'New strategy' }).click();
    await expect.poll(() => nodes(page).count(), SOON).toBe(1);
    expect(await page.getByLabel('Name of the strategy').inputValue()).toMatch(/^Watch /);
  });

  test('a market is found by name, starred, and found again by keyboard in a step’s field', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    await open(page, '/markets?venue=watchlist');
    await page.getByRole('button', { name: 'Add a market…' }).click();
    const search = page.getByRole('combobox', { name: 'Name, coin or ID' });
    await search.fill('eth');
    await page.getByRole('option', { name: /^ETH\/USDT/ }).click();
    await page.getByRole('link', { name: 'ETH/USDT' }).waitFor();
    await page.getByRole('img', { name: /^From \$/ }).waitFor();
    await page.getByRole('button', { name: 'Add a market…' }).click();
    await search.fill('btc');
    await page.getByRole('option', { name: /^BTC\/USDT/ }).click();
    const watched = page.locator('tr[data-row]');
    await expect.poll(() => watched.count(), SOON).toBe(2);
    await page.getByRole('searchbox', { name: 'Find in the watchlist' }).fill('crypto ETH');
    await expect.poll(() => watched.count()).toBe(1);
    await page.getByRole('searchbox', { name: 'Find in the watchlist' }).fill('venue b');
    await page.getByText('Nothing of that name is watched.').waitFor();
    await page.getByRole('searchbox', { name: 'Find in the watchlist' }).fill('');
    await page.getByRole('row', { name: /BTC/ }).getByRole('button', { name: /BTC/ }).click();
    await expect.poll(() => watched.count()).toBe(1);

    const { id } = await drafted(guest, buysAtOnce(10));
    await open(page, `/blueprints/${id}?node=buy`);
    const field = page.locator('.inspector').getByLabel('Instrument', { exact: true });
    await page.getByText('BTC/USDT, Crypto, $').waitFor();
    await page.locator('.inspector').getByRole('button', { name: 'Find…' }).click();
    await page.getByRole('group', { name: 'Your watchlist' }).getByRole('option').waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => field.inputValue(), SOON).toBe('ETHUSDT');
    await page.getByText('ETH/USDT, Crypto, $').waitFor();
    // An id that no list shows can be pasted into the field, and into the search.
    await page.locator('.inspector').getByRole('button', { name: 'Find…' }).click();
    await search.fill('ABCDEXYZ');
    await page.getByRole('button', { name: 'Use “ABCDEXYZ” as it is' }).click();
    expect(await field.inputValue()).toBe('ABCDEXYZ');
    await page.getByText('No venue lists it.').waitFor();
    await field.fill('BTCUSDT');
    await page.getByText('BTC/USDT, Crypto, $').waitFor();
  });

  test('concurrent edits overwrite nothing: the user chooses a version, and the other can be restored', async () => {
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
      await page.getByLabel('Value', { exact: true }).fill(value);
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

  test('edits are saved automatically and can still be undone, and a JSON edit is one of them', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    const { id } = await drafted(guest, buysAtOnce(10));
    await open(page, `/blueprints/${id}`);
    await page.locator('[data-id=floor]').click();
    await page.getByLabel('Value', { exact: true }).fill('77');
    await page.getByText('unsaved edits').waitFor();
    await saved(page);
    const { visual } = await guest.api<{ visual: { nodes: { id: string; data: { config: unknown } }[] } }>(
      'GET',
      `/api/blueprints/${id}`,
    );
    expect(visual.nodes.find((node) => node.id === 'floor')?.data.config).toEqual({ value: 77 });
    expect(await page.getByLabel('Value', { exact: true }).inputValue()).toBe('77');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => page.getByLabel('Value', { exact: true }).inputValue()).toBe('1');
    await page.getByRole('tab', { name: 'JSON' }).click();
    const code = page.getByRole('textbox', { name: 'Strategy JSON' });
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

  test('JSON that is no graph is neither applied nor imported, and the reason is shown', async () => {
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
    const code = page.getByRole('textbox', { name: 'Strategy JSON' });
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
      .poll(() => page.getByLabel('Name of the strategy').inputValue(), { timeout: 15_000 })
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

  test('an added step is visible, wherever it is placed', async () => {
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
});
