/** Processor time of the console's thread on the largest pages: every strategy an account may have, and a large graph. */

import type { CDPSession, Page } from 'playwright-core';
import { quantileOf } from './quantile.ts';

/** The most blueprints of an account, and more nodes than a graph may execute: a draft may have them. */
const [BLUEPRINTS, NODES] = [200, 500];
const COLUMN = 20;
const MOVES = 60;
const SETTLE_MS = 2_000;

/** Ms of the thread for the Strategies page, from the start of the visit. */
export async function listCost(page: Page, cdp: CDPSession, origin: string): Promise<number> {
  const headers = { origin };
  for (let index = 0; index < BLUEPRINTS - 1; index++)
    await page.request.post(`${origin}/api/blueprints`, { headers, data: { name: `Strategy ${index}` } });
  await page.goto('about:blank');
  const before = await threadMs(cdp);
  await page.goto(`${origin}/blueprints`);
  await page.locator('tr[data-row]').first().waitFor();
  await page.waitForTimeout(SETTLE_MS);
  return Math.round((await threadMs(cdp)) - before);
}

/** The 95th percentile of the thread's ms for one move of a node, with the whole graph in view. */
export async function dragCost(page: Page, cdp: CDPSession, origin: string): Promise<number> {
  const draft = await page.request.post(`${origin}/api/blueprints`, {
    headers: { origin },
    data: { name: 'Large', visual: largeGraph() },
  });
  const { id } = (await draft.json()) as { id: string };
  await page.goto(`${origin}/blueprints/${id}`);
  await page.locator('.react-flow__node').first().waitFor();
  await page.getByRole('button', { name: 'Fit View' }).click();
  await page.waitForTimeout(SETTLE_MS);
  const box = await page.locator(`.react-flow__node[data-id="n${NODES / 2}"]`).boundingBox();
  if (!box) throw new Error('The node in the middle of the graph is not on the page.');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 4];
  await page.mouse.move(x, y);
  await page.mouse.down();
  const costs: number[] = [];
  for (let move = 1; move <= MOVES; move++) {
    const before = await threadMs(cdp);
    await page.mouse.move(x + move, y + (move % COLUMN));
    costs.push((await threadMs(cdp)) - before);
  }
  await page.mouse.up();
  return quantileOf(costs, 0.95);
}

async function threadMs(cdp: CDPSession): Promise<number> {
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
  const { metrics } = await cdp.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1_000;
}

/** Columns of sums, each of the node above it and the node to its left. */
function largeGraph() {
  const indexes = Array.from({ length: NODES }, (_, index) => index);
  const edge = (from: number, to: number, targetHandle: string) => ({
    id: `${from} ${to}`,
    source: `n${from}`,
    sourceHandle: 'out',
    target: `n${to}`,
    targetHandle,
  });
  return {
    nodes: indexes.map((index) => ({
      id: `n${index}`,
      type: 'math',
      position: { x: Math.floor(index / COLUMN) * 260, y: (index % COLUMN) * 140 },
      data: { config: { op: 'add' } },
    })),
    edges: indexes.flatMap((index) => [
      ...(index % COLUMN === 0 ? [] : [edge(index - 1, index, 'in')]),
      ...(index < COLUMN ? [] : [edge(index - COLUMN, index, 'in')]),
    ]),
  };
}
