import { expect, test } from 'vitest';
import { newGuest, open } from './support/browser.ts';
import { buysAtOnce, drafted, heldPosition } from './support/strategies.ts';

const COUNT = 45;

test('a table of more than 40 rows loads what windows it, and reaches its last row', async () => {
  await using guest = await newGuest();
  const { page } = guest;
  for (let each = 0; each < COUNT; each++) await drafted(guest, buysAtOnce(10));
  const paths: string[] = [];
  page.on('request', (request) => paths.push(new URL(request.url()).pathname));
  await open(page, '/blueprints');
  const table = page.locator('table[aria-rowcount]');
  await table.locator('tr.room').first().waitFor({ state: 'attached' });
  expect(paths.filter((path) => path.startsWith('/assets/windowed-rows-'))).toHaveLength(1);
  const last = Number(await table.getAttribute('aria-rowcount'));
  expect(last).toBeGreaterThan(COUNT);
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await table.locator(`tr[aria-rowindex="${last}"]`).waitFor();
});

test('a long table whose code does not come has its first rows still, and says why the others are missing', async () => {
  await using guest = await newGuest();
  const { page } = guest;
  for (let each = 0; each < COUNT; each++) await drafted(guest, buysAtOnce(10));
  await page.route('**/assets/windowed-rows-*', (route) => route.abort());
  await open(page, '/blueprints');
  await page.getByText('This part could not be loaded').waitFor();
  expect(await page.locator('tbody tr').count()).toBeGreaterThan(40);
});

test('the buttons of a position cover none of its columns', async () => {
  await using guest = await newGuest();
  const { page } = guest;
  await heldPosition(guest);
  await open(page, '/portfolio');
  const row = page.locator('table.rows tbody tr').first();
  await row.getByRole('button', { name: 'Close…' }).waitFor();
  for (const width of [1600, 1510, 1440, 1420, 1400, 1300]) {
    await page.setViewportSize({ width, height: 900 });
    const edges = await row.locator('td:visible').evaluateAll((cells) =>
      cells.map((cell) => {
        const { left, right } = cell.getBoundingClientRect();
        return { left, right };
      }),
    );
    const buttons = edges.pop();
    expect(edges.at(-1)?.right, `${width}`).toBeLessThanOrEqual((buttons?.left ?? 0) + 1);
  }
});
