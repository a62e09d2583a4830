import { expect, test } from 'vitest';
import { newGuest, open } from './support/browser.ts';
import { isLive } from './support/live.ts';
import { buysAtOnce, deployed, orderIn } from './support/strategies.ts';

const MINUTE_MS = 60_000;

/** A script that moves the clock of the page. */
const clockOff = (byMs: number) => `{
  const Real = Date;
  Date = class extends Real {
    constructor(...given) { super(...(given.length > 0 ? given : [Real.now() + ${byMs}])); }
    static now() { return Real.now() + ${byMs}; }
  };
}`;

test.each([-10, 10])(
  'on a computer whose clock is %i minutes off, ages and countdowns are right and a fresh quote is not stale',
  async (minutes) => {
    await using guest = await newGuest();
    const { page } = guest;
    await page.addInitScript({ content: clockOff(minutes * MINUTE_MS) });
    await deployed(guest, buysAtOnce(70));
    const { id } = await orderIn(guest, 'pending');
    await open(page, '/orders');
    await isLive(page);
    const ages = page.locator(`tr[data-row="${id}"]`).first().locator('time');
    await expect.poll(() => ages.allInnerTexts()).toContainEqual(expect.stringMatching(/^\d+ s ago$/));
    expect((await ages.allInnerTexts()).join()).toMatch(/in (1[45] m|59 m|23 h)/);
    const zone = page.getByRole('button', { name: /^\d\d:\d\d:\d\d UTC/ });
    const offMs = async () =>
      Math.abs(
        Date.parse(`${new Date().toISOString().slice(0, 10)} ${(await zone.innerText()).slice(0, 12)}`) -
          Date.now(),
      );
    // It ticks each second, at a phase of its own.
    await expect.poll(offMs).toBeLessThan(MINUTE_MS);
    await page.getByRole('button', { name: 'Review…' }).first().click();
    const approving = page.getByRole('alertdialog');
    const approve = approving.getByRole('button', { name: /^Approve/ });
    await expect.poll(() => approve.isEnabled(), { timeout: 10_000 }).toBe(true);
    expect(await approving.innerText()).not.toMatch(/\d+ min ago/);
  },
  60_000,
);
