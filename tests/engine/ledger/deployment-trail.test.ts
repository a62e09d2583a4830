import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AuditRow, DeploymentRow } from '../../../engine/ledger/rows.ts';
import { DeploymentTrail } from '../../../engine/ledger/trails/deployment-trail.ts';
import { firstOf, LEDGER } from './ledger.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 12, minute)).toISOString();

/** Starts, restarts and stops of two blueprints, as the service writes them. */
class Played {
  readonly rows: DeploymentRow[] = [];
  readonly audits: AuditRow[] = [];

  constructor(moves: readonly { blueprint: 'b-1' | 'b-2'; stops: boolean }[], isNamed: boolean) {
    for (const [minute, { blueprint, stops }] of moves.entries()) {
      const running = this.rows.findIndex((row) => row.blueprint_id === blueprint && row.ended_at === null);
      const replaced = this.rows[running];
      if (replaced !== undefined) this.rows[running] = { ...replaced, ended_at: at(minute) };
      if (stops)
        this.#audit('stopped', blueprint, minute, null, {
          deploymentId: replaced?.id ?? null,
          status: 'stopped',
        });
      else {
        const id = `d-${minute}`;
        const row = {
          id,
          blueprint_id: blueprint,
          release_number: minute,
          started_at: at(minute),
          ended_at: null,
        };
        this.rows.push(row);
        const before = isNamed ? { deploymentId: replaced?.id ?? null } : {};
        this.#audit('deployed', blueprint, minute, before, { deploymentId: id, release: minute });
      }
    }
  }

  #audit(verb: string, subject_id: string, minute: number, before: object | null, after: object): void {
    const row = { action: `blueprint.${verb}`, subject_id, at: at(minute), before, after };
    this.audits.push({ ...firstOf(LEDGER.ruleChanges), ...row } as AuditRow);
  }
}

const differences = (rows: readonly DeploymentRow[], audits: readonly AuditRow[]): string[] => {
  const trail = new DeploymentTrail();
  for (const audit of audits) trail.take(audit);
  const found: string[] = [];
  trail.compare(rows, (_subject, id, field) => found.push(`${id} ${field}`));
  return found;
};

const moves = fc.array(
  fc.record({ blueprint: fc.constantFrom('b-1' as const, 'b-2' as const), stops: fc.boolean() }),
  { maxLength: 12 },
);

describe('deployments', () => {
  test('match the trail, whether or not its rows name the one that a start replaced', () => {
    fc.assert(
      fc.property(moves, fc.boolean(), (played, isNamed) => {
        const { rows, audits } = new Played(played, isNamed);
        expect(differences(rows, audits)).toEqual([]);
        expect(
          differences(
            rows.filter(({ ended_at }) => ended_at === null),
            audits,
          ),
        ).toEqual([]);
      }),
    );
  });

  test('that name the replaced one agree in any order of time', () => {
    fc.assert(
      fc.property(moves, (played) => {
        const { rows, audits } = new Played(played, true);
        expect(differences(rows, audits.toReversed())).toEqual([]);
      }),
    );
  });

  test('that run again, or end without an audit row, are found', () => {
    fc.assert(
      fc.property(moves, fc.nat(), (played, which) => {
        const { rows, audits } = new Played(played, true);
        fc.pre(rows.length > 0);
        const index = which % rows.length;
        const altered = rows.map((row, place) =>
          place === index ? { ...row, ended_at: row.ended_at === null ? at(59) : null } : row,
        );
        expect(differences(altered, audits)).toEqual([`${rows[index]?.id} endedAt`]);
      }),
    );
  });

  test('without a start, of another mode, and missing while they run are found', () => {
    const { rows, audits } = new Played([{ blueprint: 'b-1', stops: false }], true);
    expect(differences(rows, [])).toEqual(['d-0 row']);
    expect(differences([], audits)).toEqual(['d-0 row']);
  });

  test('of an erased account have all ended', () => {
    const { rows, audits } = new Played([{ blueprint: 'b-1', stops: false }], true);
    const erased = audits.map((audit) => ({ ...audit, before: null, after: null }));
    expect(differences(rows, erased)).toEqual(['d-0 endedAt']);
    expect(
      differences(
        rows.map((row) => ({ ...row, ended_at: at(1) })),
        erased,
      ),
    ).toEqual([]);
  });
});
