import type { Page } from 'playwright-core';

export const SOON = { timeout: 15_000 };

export const nodes = (page: Page) => page.locator('.react-flow__node');
export const edges = (page: Page) => page.locator('.react-flow__edge');
export const saved = (page: Page) => page.getByText(/^saved/).waitFor();
export const add = (page: Page, title: string) =>
  page.locator('.node-palette').getByRole('button', { name: title, exact: true }).click();

export const visibleIds = (page: Page) =>
  nodes(page).evaluateAll((all) => all.map((node) => node.getAttribute('data-id')).sort());

export const nodePositions = (page: Page) =>
  nodes(page).evaluateAll((all) =>
    all.map((node) => `${node.getAttribute('data-id')} ${(node as HTMLElement).style.transform}`),
  );

/** On a phone, shows the graph in place of its list. */
export const showGraph = (page: Page): Promise<void> =>
  page.getByRole('radiogroup', { name: 'Form of the graph' }).getByText('Graph').click();

/** Chooses an action of the menu beside the main button of a page. */
export async function fromMenu(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name, exact: true }).click();
}
