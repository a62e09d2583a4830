/** The files that operators get, with loopback addresses of a test cluster. So the tests run the shipped files. */

import { readFileSync } from 'node:fs';
import path from 'node:path';

const OPS = path.join(import.meta.dirname, '../../ops');
export const NODES = [1, 2, 3] as const;
export type NodeNumber = (typeof NODES)[number];

type NodePorts = {
  readonly postgres: number;
  readonly patroni: number;
  readonly etcd: number;
  readonly peer: number;
};
export type Ports = {
  readonly nodes: Readonly<Record<NodeNumber, NodePorts>>;
  /** Addresses at which HAProxy takes connections to the primary, and requests. */
  readonly database: number;
  readonly door: number;
  readonly apis: readonly [number, number];
};

const OFFICIAL: NodePorts = { postgres: 5432, patroni: 8008, etcd: 2379, peer: 2380 };

/** @throws Error if the file lacks a text to be replaced: the file was changed and this code was not */
export function replaceAllOnce(text: string, pairs: readonly (readonly [string, string])[]): string {
  return pairs.reduce((changed, [from, to]) => {
    if (!changed.includes(from)) throw new Error(`The file says "${from}" nowhere.`);
    return changed.replaceAll(from, to);
  }, text);
}

/** Replaces every `10.0.0.N:port` by its address on this machine. */
function onLoopback(text: string, { nodes, apis }: Ports): string {
  const known = new Map<string, string>([
    ['10.0.0.4:3000', `127.0.0.1:${apis[0]}`],
    ['10.0.0.5:3000', `127.0.0.1:${apis[1]}`],
  ]);
  for (const node of NODES)
    for (const name of ['postgres', 'patroni', 'etcd', 'peer'] as const)
      known.set(`10.0.0.${node}:${OFFICIAL[name]}`, `127.0.0.1:${nodes[node][name]}`);
  return text.replaceAll(/10\.0\.0\.\d+:\d+/g, (address) => {
    const here = known.get(address);
    if (here === undefined) throw new Error(`No process of the test cluster has the address ${address}.`);
    return here;
  });
}

/** Changes the first node's own lines to those of another one; the list of all nodes stays. */
function ofNode(text: string, { node, lists }: { node: NodeNumber; lists: RegExp }): string {
  return text
    .split('\n')
    .map((line) => (lists.test(line) ? line : line.replaceAll('10.0.0.1:', `10.0.0.${node}:`)))
    .join('\n');
}

export function etcdFile(ports: Ports, { node, folder }: { node: NodeNumber; folder: string }): string {
  const text = replaceAllOnce(readOps('etcd.yml'), [
    ['name: etcd1', `name: etcd${node}`],
    ['/var/lib/etcd/trading', folder],
  ]);
  return onLoopback(ofNode(text, { node, lists: /^initial-cluster:/ }), ports);
}

type Database = { readonly node: NodeNumber; readonly folder: string; readonly programs: string };

export function patroniFile(ports: Ports, { node, folder, programs }: Database): string {
  const text = replaceAllOnce(readOps('patroni.yml'), [
    ['name: pg1', `name: pg${node}`],
    ['/var/lib/postgresql/18/trading', folder],
    ['/usr/lib/postgresql/18/bin', programs],
    ['10.0.0.0/24', '127.0.0.1/32'],
  ]);
  return onLoopback(ofNode(text, { node, lists: /^etcd3:/ }), ports);
}

export function proxyFile(ports: Ports): string {
  const checks = NODES.map(
    (node) =>
      [
        `server pg${node} 10.0.0.${node}:5432 check port 8008`,
        `server pg${node} 10.0.0.${node}:5432 check port ${ports.nodes[node].patroni}`,
      ] as const,
  );
  const text = replaceAllOnce(readOps('haproxy.cfg'), [
    ...checks,
    ['bind 127.0.0.1:5432', `bind 127.0.0.1:${ports.database}`],
    ['bind :80', `bind 127.0.0.1:${ports.door}`],
  ]);
  return onLoopback(text, ports);
}

const readOps = (file: string): string => readFileSync(path.join(OPS, file), 'utf8');
