/** Follows deployments through the audit trail: each start and end of one has a row there. Pure. */
import type { AuditRow, DeploymentRow, Report } from '../rows.ts';

export const DEPLOYMENT_ACTIONS = ['blueprint.deployed', 'blueprint.stopped'] as const;

type Started = { readonly blueprintId: string | null; readonly release: number; readonly startedAt: string };
/** `before` of a start names the deployment that it replaced; rows of older versions name none. */
type Before = { readonly deploymentId?: string | null } | null;
type After = { readonly deploymentId: string | null; readonly release: number } | null;

export class DeploymentTrail {
  readonly #started = new Map<string, Started>();
  readonly #ended = new Map<string, string>();
  /** The last deployment of each blueprint. */
  readonly #last = new Map<string | null, string>();
  #isErased = false;

  /** Takes the next row, by time. */
  take({ action, subject_id: blueprintId, at, before, after }: AuditRow): void {
    const stated = after as After;
    if (stated === null) this.#isErased = true;
    if (stated?.deploymentId == null) return;
    if (action === 'blueprint.stopped') {
      this.#ended.set(stated.deploymentId, at);
      return;
    }
    const named = (before as Before)?.deploymentId;
    const replaced = named === undefined ? this.#last.get(blueprintId) : named;
    if (replaced != null && !this.#ended.has(replaced)) this.#ended.set(replaced, at);
    this.#started.set(stated.deploymentId, { blueprintId, release: stated.release, startedAt: at });
    this.#last.set(blueprintId, stated.deploymentId);
  }

  /** Compares the deployments of one mode with all rows taken. Ended ones may be deleted with their release. */
  compare(rows: readonly DeploymentRow[], report: Report): void {
    for (const row of rows) this.#compareRow(row, report);
    const existing = new Set(rows.map(({ id }) => id));
    for (const [id] of this.#started)
      if (!existing.has(id) && !this.#ended.has(id))
        report('deployment', id, 'row', 'a deployment that runs', 'gone');
  }

  #compareRow(row: DeploymentRow, report: Report): void {
    const compare = (field: string, expected: string, actual: string) => {
      if (expected !== actual) report('deployment', row.id, field, expected, actual);
    };
    const started = this.#started.get(row.id);
    if (this.#isErased) {
      if (row.ended_at === null) compare('endedAt', 'before its account was erased', 'none');
    } else if (started === undefined) {
      compare('row', 'a start in the audit trail', 'none');
    } else {
      compare('blueprintId', started.blueprintId ?? 'none', row.blueprint_id);
      compare('release', String(started.release), String(row.release_number));
      compare('startedAt', instantOf(started.startedAt), instantOf(row.started_at));
      compare('endedAt', instantOf(this.#ended.get(row.id)), instantOf(row.ended_at));
    }
  }
}

const instantOf = (moment: string | null | undefined): string =>
  moment == null ? 'none' : new Date(moment).toISOString();
