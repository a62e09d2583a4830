import { describe, expect, test } from 'vitest';
import { etcdFile, patroniFile, proxyFile, replaceAllOnce } from '../ha/configure.ts';

const nodeAt = (port: number) => ({ postgres: port, patroni: port + 1, etcd: port + 2, peer: port + 3 });
const PORTS = {
  nodes: { 1: nodeAt(21_000), 2: nodeAt(22_000), 3: nodeAt(23_000) },
  database: 24_000,
  door: 25_000,
  apis: [26_000, 26_001],
} as const;

describe('the files of a cluster, moved to loopback', () => {
  test('name no address of another machine, and each node its own', () => {
    const etcd = etcdFile(PORTS, { node: 2, folder: '/tmp/etcd2' });
    const patroni = patroniFile(PORTS, { node: 3, folder: '/tmp/pg3', programs: '/usr/bin' });
    const proxy = proxyFile(PORTS);
    for (const text of [etcd, patroni, proxy]) expect(text).not.toMatch(/10\.0\.0\./);
    expect(etcd).toContain('listen-client-urls: http://127.0.0.1:22002');
    expect(etcd).toContain('etcd1=http://127.0.0.1:21003,etcd2=http://127.0.0.1:22003');
    expect(patroni).toContain('connect_address: 127.0.0.1:23000');
    expect(proxy).toContain('server pg3 127.0.0.1:23000 check port 23001');
  });

  test('are refused if a line to be replaced is missing', () => {
    expect(() => replaceAllOnce('name: a', [['name: b', 'name: c']])).toThrow(
      'The file says "name: b" nowhere.',
    );
  });

  test('contain the settings without which acknowledged writes are lost', () => {
    const patroni = patroniFile(PORTS, { node: 1, folder: '/tmp/pg1', programs: '/usr/bin' });
    expect(patroni).toContain('synchronous_mode_strict: true');
    expect(patroni).toContain('primary_start_timeout: 0');
    expect(proxyFile(PORTS)).toContain('on-marked-down shutdown-sessions');
  });
});
