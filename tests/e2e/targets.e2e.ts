import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { newGuest } from './support/browser.ts';
import { showAll } from './support/scenes.ts';

/** Visible controls below the least size. A link inside a line of text may be as high as the line. */
const tooSmall = (page: Page, least: number) =>
  page.evaluate((px) => {
    const controls = [
      ...document.querySelectorAll<HTMLElement>(
        'button, select, input:not([type=file]), textarea, summary, nav a, [role=button], [role=menuitem], [role=tab]',
      ),
    ];
    /** What a press on its label does, the label's size does too. */
    const target = (control: HTMLElement) =>
      control.matches('input[type=checkbox], input[type=radio]')
        ? (control.closest('label') ?? document.querySelector(`label[for="${control.id}"]`) ?? control)
        : control;
    return controls
      .filter((control) => control.checkVisibility() && !control.closest('[inert]'))
      .map((control) => ({ control, box: target(control).getBoundingClientRect() }))
      .filter(({ box }) => box.width > 0 && (box.width < px - 0.5 || box.height < px - 0.5))
      .map(({ control, box }) => `${control.outerHTML.slice(0, 140)}: ${box.width} × ${box.height}`);
  }, least);

test.each([
  ['with a mouse', 24, {}],
  ['on touch', 44, { hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } }],
] as const)(
  'R6: nothing to press is too small on any page, menu or open dialog: %s, %d px',
  async (_kind, least, options) => {
    await using guest = await newGuest({ ...options, reducedMotion: 'reduce' });
    const small = new Map<string, string>();
    await showAll(guest, async (scene) => {
      for (const control of await tooSmall(guest.page, least)) small.set(control, scene);
    });
    expect([...small].map(([control, scene]) => `${scene}: ${control}`)).toEqual([]);
  },
  300_000,
);
