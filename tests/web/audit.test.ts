import { expect, test } from 'vitest';
import { CONNECTION_STATES } from '../../db/vocabulary.ts';
import { actionWords, nameIn } from '../../web/src/format/trading/audit.ts';

test('whatever becomes of a connection is said in words', () => {
  for (const step of ['created', 'changed', 'cancel_all', ...CONNECTION_STATES]) {
    expect(actionWords(`venue_connection.${step}`)).not.toMatch(/venue|_/);
  }
  expect(actionWords('venue_connection.revoked')).toBe('Connection removed');
});

test('whatever becomes of a channel is said in words', () => {
  for (const step of ['created', 'changed', 'rotated', 'removed', 'disabled'])
    expect(actionWords(`notification_channel.${step}`)).toMatch(/^(Channel|New secret)/);
});

test('an action that is new to the console is shown as it is named', () => {
  expect(actionWords('desk.moved_out')).toBe('desk moved out');
});

test('a connection is called by its label, everything else by its name', () => {
  expect(nameIn({ label: 'Testnet, small', keyHint: 'x3Kq' })).toBe('Testnet, small');
  expect(nameIn({ name: 'Monitoring' })).toBe('Monitoring');
  expect(nameIn({ state: 'halted' })).toBeNull();
  expect(nameIn(null)).toBeNull();
});

test('what happens to money at a venue is said in words', () => {
  for (const kind of ['transfer', 'adjustment', 'netting', 'fee_true_up', 'redemption']) {
    expect(actionWords(`cash.${kind}`)).not.toMatch(/cash |_/);
  }
  for (const state of ['booked', 'explained'])
    expect(actionWords(`venue_difference.${state}`)).toMatch(/^Difference/);
  expect(actionWords('venue_connection.all_canceled')).toBe('Every order of a connection canceled');
});
