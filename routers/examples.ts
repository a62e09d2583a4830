import { byApiRule } from '../engine/risk/rules/catalogue.ts';

/** Values that the document's examples share, so that they are consistent. */
export const EXAMPLE = {
  blueprintId: '019a9f3e-2c41-7d0e-9a53-5b1d2f7c8e01',
  deploymentId: '019a9f3f-7b20-7c55-8f10-0c6f4a2b9d11',
  orderId: '019a9f44-11d8-7e3a-b6c2-7d9e0f1a2b3c',
  keyId: '019a9f30-64a7-7b19-9c3e-2f1d0e9c8b7a',
  connectionId: '019a9f2c-4e07-7d32-8a1b-0d9c8b7a6f54',
  differenceId: '019a9f2d-6a18-7b43-9c2e-1f0a9b8c7d65',
  thesisId: '019a9f29-0f3b-7a62-8d41-6e5c4b3a2910',
  fillId: '019a9f44-3c5e-7f21-a1b2-c3d4e5f60718',
  backtestId: '019a9f46-2b7d-7c64-8e13-4a5b6c7d8e9f',
  sweepId: '019a9f46-3c8e-7d75-9f24-5b6c7d8e9fa0',
  channelId: '019a9f47-4d9f-7e86-8a35-6c7d8e9fa0b1',
  notificationId: '019a9f47-5ea0-7f97-9b46-7d8e9fa0b1c2',
  deliveryId: '019a9f47-6fb1-70a8-8c57-8e9fa0b1c2d3',
  requestId: '019a9f45-8d3c-7a11-9e22-334455667788',
  createdAt: '2026-11-20T09:00:00.000Z',
  updatedAt: '2026-11-20T09:05:00.000Z',
} as const;

const visual = {
  nodes: [
    {
      id: 'price',
      type: 'crypto.price',
      position: { x: 0, y: 0 },
      data: { config: { symbol: 'BTCUSDT', field: 'last' } },
    },
    { id: 'floor', type: 'constant', position: { x: 0, y: 120 }, data: { config: { value: 60000 } } },
    { id: 'dip', type: 'compare', position: { x: 288, y: 60 }, data: { config: { op: 'lt' } } },
  ],
  edges: [
    { id: 'e1', source: 'price', sourceHandle: 'out', target: 'dip', targetHandle: 'a' },
    { id: 'e2', source: 'floor', sourceHandle: 'out', target: 'dip', targetHandle: 'b' },
  ],
};

export const BLUEPRINT_EXAMPLE = {
  id: EXAMPLE.blueprintId,
  name: 'Dip buyer',
  status: 'draft',
  deploymentId: null,
  visual,
  nodeStates: null,
  error: null,
  createdAt: EXAMPLE.createdAt,
  updatedAt: EXAMPLE.createdAt,
} as const;

export const RUNNING_BLUEPRINT_EXAMPLE = {
  ...BLUEPRINT_EXAMPLE,
  status: 'running',
  deploymentId: EXAMPLE.deploymentId,
  nodeStates: {
    dip: {
      status: 'ok',
      value: false,
      distance: 812.4,
      updatedAt: 1795165500000,
      firedCount: 0,
    },
  },
  updatedAt: EXAMPLE.updatedAt,
} as const;

/** The rules of a new account. */
export const RULES_EXAMPLE = byApiRule(({ default: limit }) => Number(limit));

export const APPROVED_EXAMPLE = { ok: true, id: EXAMPLE.orderId } as const;
