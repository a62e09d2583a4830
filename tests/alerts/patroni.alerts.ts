/** The alerts of Patroni, by what causes them in the cluster that `tests/ha` builds from the files of `ops/`. */

import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openCluster, openPorts } from '../ha/cluster.ts';
import { NODES, type NodeNumber } from '../ha/configure.ts';
import { findPrograms, type Programs } from '../ha/programs.ts';
import { openPrometheus } from './prometheus.ts';

/** The cluster of three is begun, harmed three times, and whole again after each. */
const WITHIN_MS = 900_000;

function programsOr(skip: (reason: string) => never): Programs {
  try {
    return findPrograms();
  } catch (error) {
    return skip(String(error));
  }
}

test('a node of the database is gone, PostgreSQL of one stands still, and the last standby is gone', {
  timeout: WITHIN_MS,
}, async (context) => {
  const programs = programsOr((reason) => context.skip(reason));
  await using opened = new AsyncDisposableStack();
  const dir = mkdtempSync(path.join('/var/tmp', 'ha-'));
  chmodSync(dir, 0o755);
  opened.defer(() => rmSync(dir, { recursive: true, force: true }));
  const ports = await openPorts();
  const cluster = await openCluster(dir, { programs, ports });
  opened.defer(() => cluster.close());
  const patroni = NODES.map((node) => ports.nodes[node].patroni);
  const prometheus = opened.use(await openPrometheus(path.join(dir, 'prometheus'), { jobs: { patroni } }));
  const nodesOf = async (isWanted: (role: string) => boolean): Promise<NodeNumber[]> => {
    const names = (await cluster.members()).filter(({ role }) => isWanted(role)).map(({ name }) => name);
    return NODES.filter((node) => names.includes(`pg${node}`));
  };
  const expectNodeDown = async (
    harm: (node: NodeNumber) => void,
    mend: (node: NodeNumber) => void,
  ): Promise<void> => {
    // The synchronous standby stays, so writes continue.
    const [node] = await nodesOf((role) => role === 'replica');
    if (node === undefined) throw new Error('Both standbys are synchronous.');
    await prometheus.expectAlerts(
      ['PatroniNodeDown'],
      async () => harm(node),
      async () => {
        expect(await prometheus.firing()).toEqual(['PatroniNodeDown']);
        mend(node);
        await cluster.untilWhole();
      },
    );
  };

  await expectNodeDown(
    (node) => cluster.signalNode(node, 'SIGKILL'),
    (node) => cluster.startNode(node),
  );
  await expectNodeDown(
    (node) => cluster.signalDatabase(node, 'SIGSTOP'),
    (node) => cluster.signalDatabase(node, 'SIGCONT'),
  );

  const standbys = await nodesOf((role) => role !== 'leader');
  await prometheus.expectAlerts(
    ['PatroniNoStandby', 'PatroniNodeDown'],
    async () => {
      for (const node of standbys) cluster.signalNode(node, 'SIGKILL');
    },
    async () => {
      for (const node of standbys) cluster.startNode(node);
      await cluster.untilWhole();
    },
  );
});
