import { expect, test } from 'vitest';
import { newGuest, open } from './support/browser.ts';

type Backtest = { equity: number[]; buyAndHold: number };
type Listed = { result: { data: { name: string; backtest: Backtest | null }[] } };

const inPercent = (share: number) => `${(Math.abs(share) * 100).toPrecision(2)}%`;

test('a template says what it made beside holding its coins, and the best results can be listed first', async () => {
  await using guest = await newGuest();
  const { page } = guest;
  const { result } = await guest.api<Listed>('GET', '/trpc/console.templates?input=%7B%7D');
  const profitOf = ({ equity }: Backtest) => (equity.at(-1) ?? 0) / (equity[0] ?? 1) - 1;
  const [best] = result.data
    .flatMap(({ name, backtest }) => (backtest ? [{ name, backtest }] : []))
    .toSorted((a, b) => profitOf(b.backtest) - profitOf(a.backtest));
  if (!best) throw new Error('No template has a backtest.');
  await open(page, '/blueprints');
  await page.getByRole('button', { name: 'New strategy' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'New strategy' });
  await dialog.getByLabel('Order of the templates').selectOption('Best result first');
  expect(await dialog.locator('.choice strong').nth(1).textContent()).toBe(best.name);
  await dialog.getByLabel(best.name).check();
  const verdict = await dialog.locator('.template-verdict').textContent();
  expect(verdict).toMatch(/^(Gained|Lost) \S+; holding \S+ (gained|lost) \S+%\.$/);
  expect(verdict).toContain(inPercent(profitOf(best.backtest)));
});
