import type { Work } from '../../../platform/context.ts';

/** Selects from the account's deployments `d`, each with the body `b` of its release, whose `visual` is its graph. */
export const deploymentsWithGraph = ({ db, accountId }: Work) =>
  db
    .selectFrom('deployment as d')
    .innerJoin('release as r', (join) =>
      join
        .onRef('r.account_id', '=', 'd.account_id')
        .onRef('r.blueprint_id', '=', 'd.blueprint_id')
        .onRef('r.number', '=', 'd.release_number'),
    )
    .innerJoin('release_body as b', (join) =>
      join.onRef('b.account_id', '=', 'r.account_id').onRef('b.hash', '=', 'r.body_hash'),
    )
    .where('d.account_id', '=', accountId);
