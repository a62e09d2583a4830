/** Three PostgreSQL under Patroni with three etcd and a HAProxy in front, on loopback, by the files of `ops/`. */

import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findPostmaster } from '../../db/embedded/postmaster.ts';
import { freePort } from '../e2e/support/service-process.ts';
import { ClusterProcess, processTreeOf, signal, waitUntil } from './cluster-process.ts';
import { etcdFile, NODES, type NodeNumber, type Ports, patroniFile, proxyFile } from './configure.ts';
import type { Programs } from './programs.ts';

const PASSWORD = 'of-the-tests';
const ANSWER_WITHIN_MS = 3_000;

type Seen = {
  readonly name: string;
  readonly role: string;
  readonly state: string;
  readonly timeline?: number;
};
export type Cluster = Awaited<ReturnType<typeof openCluster>>;

export async function openPorts(): Promise<Ports> {
  const node = async () => ({
    postgres: await freePort(),
    patroni: await freePort(),
    etcd: await freePort(),
    peer: await freePort(),
  });
  return {
    nodes: { 1: await node(), 2: await node(), 3: await node() },
    database: await freePort(),
    door: await freePort(),
    apis: [await freePort(), await freePort()],
  };
}

export async function openCluster(dir: string, { programs, ports }: { programs: Programs; ports: Ports }) {
  const { user } = programs;
  const file = (name: string, text: string): string => {
    const place = path.join(dir, name);
    writeFileSync(place, text);
    return place;
  };
  const folder = (name: string): string => {
    const place = path.join(dir, name);
    mkdirSync(place, { mode: 0o700 });
    if (user !== null) chownSync(place, user.uid, user.gid);
    return place;
  };
  const etcds = NODES.map((node) => {
    const config = file(`etcd${node}.yml`, etcdFile(ports, { node, folder: folder(`etcd${node}`) }));
    return new ClusterProcess({ command: ['etcd', '--config-file', config], user });
  });
  const patronis = Object.fromEntries(
    NODES.map((node) => {
      const text = patroniFile(ports, { node, folder: folder(`pg${node}`), programs: programs.postgres });
      const config = file(`patroni${node}.yml`, text);
      const env = {
        // Patroni keeps passwords there for the programs it calls.
        HOME: folder(`home${node}`),
        PATRONI_SUPERUSER_PASSWORD: PASSWORD,
        PATRONI_REPLICATION_PASSWORD: PASSWORD,
        PATRONI_REWIND_PASSWORD: PASSWORD,
      };
      return [node, new ClusterProcess({ command: [...programs.patroni, config], env, user, cwd: dir })];
    }),
  ) as Record<NodeNumber, ClusterProcess>;
  const proxy = new ClusterProcess({
    command: ['haproxy', '-db', '-f', file('haproxy.cfg', proxyFile(ports))],
  });

  const ask = async (node: NodeNumber, where: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`http://127.0.0.1:${ports.nodes[node].patroni}${where}`, {
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      ...init,
    });
  /** The members as any answering node reports them. */
  const members = async (): Promise<Seen[]> => {
    for (const node of NODES) {
      const answer = await ask(node, '/cluster').catch(() => null);
      if (answer?.ok) return ((await answer.json()) as { members: Seen[] }).members;
    }
    return [];
  };
  const leader = async (): Promise<NodeNumber> => {
    const name = (await members()).find(({ role }) => role === 'leader')?.name;
    const node = NODES.find((one) => `pg${one}` === name);
    if (node === undefined) throw new Error('There is no leader.');
    return node;
  };
  /** Waits until one leads and two follow it on its timeline, one of them synchronously. */
  const isWhole = async (): Promise<boolean> => {
    const seen = await members();
    const lead = seen.find(({ role }) => role === 'leader');
    const following = seen.filter(({ role, state }) => role !== 'leader' && state === 'streaming');
    return (
      lead?.state === 'running' &&
      following.length === NODES.length - 1 &&
      following.every(({ timeline }) => timeline === lead.timeline) &&
      following.some(({ role }) => role === 'sync_standby' || role === 'quorum_standby')
    );
  };
  const words = () =>
    [...etcds, ...Object.values(patronis), proxy].map(({ said }) => said.slice(-1_500)).join('\n');
  const orWords = async (error: Error): Promise<never> => {
    throw new Error(`${error.message}\n${JSON.stringify(await members())}\n${words()}`);
  };
  const untilWhole = () => waitUntil('the cluster is whole', isWhole).catch(orWords);
  /** PostgreSQL of a node: no child of the Patroni that started it. */
  const databaseOf = (node: NodeNumber): number[] => {
    const postmaster = findPostmaster(path.join(dir, `pg${node}`));
    return postmaster === null ? [] : processTreeOf(postmaster.pid);
  };
  const nodeOf = (node: NodeNumber): number[] => [...processTreeOf(patronis[node].pid), ...databaseOf(node)];

  for (const etcd of etcds) etcd.start();
  patronis[1].start();
  await waitUntil('the first node leads', async () => (await leader()) === 1, { withinMs: 90_000 }).catch(
    orWords,
  );
  patronis[2].start();
  patronis[3].start();
  proxy.start();
  await untilWhole();

  return {
    url: (database: string) => `postgresql://postgres:${PASSWORD}@127.0.0.1:${ports.database}/${database}`,
    leader,
    members,
    untilWhole,
    /** Every process of PostgreSQL of this node; Patroni stays alive and notices. */
    killDatabase: (node: NodeNumber) => signal(databaseOf(node), 'SIGKILL'),
    signalDatabase: (node: NodeNumber, name: NodeJS.Signals) => signal(databaseOf(node), name),
    /** The whole node, as when its machine stops or freezes. */
    signalNode: (node: NodeNumber, name: NodeJS.Signals) => signal(nodeOf(node), name),
    startNode: (node: NodeNumber) => patronis[node].start(),
    async switchOver(): Promise<void> {
      const from = await leader();
      const answer = await ask(from, '/switchover', {
        method: 'POST',
        body: JSON.stringify({ leader: `pg${from}` }),
        signal: AbortSignal.timeout(60_000),
      });
      if (!answer.ok) throw new Error(`The switchover was refused: ${answer.status} ${await answer.text()}`);
    },
    async close(): Promise<void> {
      await proxy.stop();
      for (const node of NODES) signal(nodeOf(node), 'SIGCONT');
      await Promise.all(Object.values(patronis).map((member) => member.stop()));
      await Promise.all(etcds.map((member) => member.stop()));
    },
  };
}
