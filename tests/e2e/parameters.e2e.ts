import { describe, expect, test } from 'vitest';
import { newGuest, open } from './support/browser.ts';
import { nodes, SOON } from './support/editor.ts';
import { buysAtOnce, drafted } from './support/strategies.ts';

type Stored = {
  visual: { nodes: { id: string; data: { config: object } }[]; parameters?: Record<string, object> };
};

describe('parameters of a graph', () => {
  test('are added, described, used by a setting, renamed, swept by name and removed', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    const { id } = await drafted(guest, buysAtOnce(10));
    const stored = async () => (await guest.api<Stored>('GET', `/api/blueprints/${id}`)).visual;
    const amount = async () => (await stored()).nodes.find((node) => node.id === 'amount')?.data.config;
    await open(page, `/blueprints/${id}`);
    const panel = page.getByRole('region', { name: 'Parameters' });
    const opened = page.getByRole('button', { name: 'Parameters' });
    await opened.click();
    await panel.getByRole('button', { name: 'Add a parameter' }).click();
    await panel.getByLabel('Value').fill('12');
    await panel.getByLabel('Minimum').fill('5');
    await panel.getByLabel('Maximum').fill('50');
    await panel.getByLabel('Unit').fill('USD');
    await panel.getByLabel('Description').fill('The size of an entry.');
    await panel.getByLabel('Name').fill('2nd');
    await panel.getByText('Letters and digits, a letter first').waitFor();
    await panel.getByLabel('Name').fill('stake');
    await panel.getByLabel('Name').press('Enter');
    await panel.getByText('stake = 12 USD').waitFor();
    await expect
      .poll(async () => (await stored()).parameters, SOON)
      .toEqual({ stake: { value: 12, min: 5, max: 50, unit: 'USD', help: 'The size of an entry.' } });

    await page.locator('[data-id=amount]').click();
    await page.getByLabel('Parameter for Notional').selectOption('Parameter stake');
    await page.getByText('12 USD. The size of an entry.').waitFor();
    await expect.poll(amount, SOON).toEqual({ mode: 'notional', notional: { parameter: 'stake' } });
    await nodes(page).filter({ hasText: 'notional = stake' }).waitFor();

    await page.locator('.react-flow__pane').click({ position: { x: 10, y: 10 } });
    await panel.getByText('stake = 12 USD').click();
    await panel.getByLabel('Name').fill('entrySize');
    await panel.getByLabel('Name').press('Enter');
    await expect.poll(amount, SOON).toEqual({ mode: 'notional', notional: { parameter: 'entrySize' } });
    await panel.getByText('1 setting uses it.').waitFor();

    await open(page, `/sweeps/new?blueprint=${id}`);
    await page.getByRole('button', { name: 'Vary entrySize (USD)' }).click();
    expect(await page.locator('[data-dimension]').getByLabel('From').inputValue()).toBe('6');

    await open(page, `/blueprints/${id}`);
    await opened.click();
    await panel.getByText('entrySize = 12 USD').click();
    await panel.getByRole('button', { name: 'Remove, and keep its value in the settings' }).click();
    await expect.poll(amount, SOON).toEqual({ mode: 'notional', notional: 12 });
    expect((await stored()).parameters).toBeUndefined();
    await page.keyboard.press('Control+z');
    await expect
      .poll(async () => Object.keys((await stored()).parameters ?? {}), SOON)
      .toEqual(['entrySize']);
  });

  test('a list may be the open markets of a series, and says which they are now', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    const { id } = await drafted(guest, buysAtOnce(10));
    const parameters = async () =>
      (await guest.api<Stored>('GET', `/api/blueprints/${id}`)).visual.parameters;
    await open(page, `/blueprints/${id}`);
    const panel = page.getByRole('region', { name: 'Parameters' });
    await page.getByRole('button', { name: 'Parameters' }).click();
    await panel.getByRole('button', { name: 'Add a parameter' }).click();
    await panel.getByLabel('Kind').selectOption('Open markets of a series');
    await panel.getByText(/^1 market is open now: KXBTC15M-\S+:yes\. While the strategy runs/).waitFor();
    await panel.getByLabel('Side of each market').fill('no');
    await panel.getByText(/^1 market is open now: KXBTC15M-\S+:no\./).waitFor();
    await panel.getByLabel('Value').fill('KXNONE');
    await panel
      .getByText('No market of the series “KXNONE” of venue-a with the outcome “no” was open then.')
      .waitFor();
    await expect
      .poll(parameters, SOON)
      .toEqual({ parameter1: { value: { series: 'KXNONE', venue: 'venue-a', outcome: 'no' } } });
  });

  test('a reference to no parameter is listed, and another choice mends it', async () => {
    await using guest = await newGuest();
    const { page } = guest;
    const visual = buysAtOnce(10);
    const broken = visual.nodes.map((node) =>
      node.id === 'floor' ? { ...node, data: { config: { value: { parameter: 'gone' } } } } : node,
    );
    const { id } = await drafted(guest, { ...visual, nodes: broken, parameters: { stake: { value: 2 } } });
    await open(page, `/blueprints/${id}`);
    await page.locator('.problems').getByText('There is no parameter "gone"').waitFor();
    await page.locator('[data-id=floor]').click();
    await page.getByLabel('Value', { exact: true }).selectOption('Its own value');
    await page.getByLabel('Value', { exact: true }).fill('1');
    await expect.poll(() => page.getByText('There is no parameter "gone"').count(), SOON).toBe(0);
  });
});
