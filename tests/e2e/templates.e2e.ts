import { expect, test } from 'vitest';
import { newGuest, open } from './support/browser.ts';

type Backtest = { equity: number[]; buyAndHold: number | null; maxExposure: number };
type Listed = { result: { data: { name: string; backtest: Backtest | null }[] } };

/** The result, and that of holding the coins with the same money. */
function resultsOf({ equity, buyAndHold, maxExposure }: Backtest) {
  const cash = equity[0] ?? 0;
  const most = maxExposure * cash;
  const [own, holding] = [(equity.at(-1) ?? cash) - cash, (buyAndHold ?? 0) * most];
  return { own, holding, edge: (own - holding) / most };
}
const usd = (value: number) => `$${Math.abs(value).toFixed(2)}`;

test('a template says what it made beside holding its coins with the same money, and the best can be listed first', async () => {
  await using guest = await newGuest();
  const { page } = guest;
  const { result } = await guest.api<Listed>('GET', '/trpc/console.templates?input=%7B%7D');
  const [best] = result.data
    .flatMap(({ name, backtest }) =>
      backtest && backtest.buyAndHold !== null ? [{ name, ...resultsOf(backtest) }] : [],
    )
    .toSorted((a, b) => b.edge - a.edge);
  if (!best) throw new Error('No template has a backtest.');
  await open(page, '/blueprints');
  await page.getByRole('button', { name: 'New strategy' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'New strategy' });
  await dialog.getByText(/^Backtests of .*: BTC\/USDT fell 11\.6%, ETH\/USDT fell 23\.3%\./).waitFor();
  await dialog.getByLabel('Order of the templates').selectOption('Best against holding first');
  expect(await dialog.locator('.choice strong').nth(1).textContent()).toBe(best.name);
  await dialog.getByLabel(best.name).check();
  const verdict = await dialog.locator('.template-verdict').textContent();
  expect(verdict).toMatch(/^(Gained|Lost) \$\S+; holding \$\d+ of \S+ (gained|lost) \$\S+\.$/);
  for (const value of [best.own, best.holding]) expect(verdict).toContain(usd(value));
});
