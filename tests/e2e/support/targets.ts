import type { Page } from 'playwright-core';

/** Visible controls below the minimum size. A link inside a line of text may be as high as the line. */
export const tooSmall = (page: Page, least: number) =>
  page.evaluate((px) => {
    const controls = [
      ...document.querySelectorAll<HTMLElement>(
        'button, select, input:not([type=file]), textarea, summary, nav a, [role=button], [role=menuitem], [role=tab]',
      ),
    ];
    /** A press on its label counts as a press on it, so the label's size counts too. */
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
