import { Migration } from '@mikro-orm/migrations';

/** Subjects whose details in the audit trail may name a person; those of the rest are numbers the ledger is verified by. */
const NAMING = ['api_key', 'blueprint', 'notify', 'password', 'session', 'user', 'venue_connection'] as const;

/**
 * History stays when an account is erased, and may lose what names somebody: a release its name, an audit row its details, a
 * removed connection whose account it was. Nothing else of them changes, and the application's role may do none of it.
 */
export class Migration20261127600000_erasure extends Migration {
  override name = 'Migration20261127600000_erasure';

  override up(): void {
    const of = (row: 'old' | 'new', columns: string) =>
      columns
        .split(' ')
        .map((column) => `${row}.${column}`)
        .join(', ');
    const differs = (columns: string) => `(${of('old', columns)}) is distinct from (${of('new', columns)})`;

    this.addSql(`drop trigger release_unchanged on release`);
    this.addSql(`create trigger release_unchanged before update on release for each row
      when (${differs('account_id blueprint_id number body_hash deployed_by created_at')}
        or (new.name is distinct from old.name and new.name <> 'Erased')) execute function refuse_change()`);

    this.addSql(`drop trigger audit_event_append_only on audit_event`);
    this.addSql(
      `create trigger audit_event_append_only before delete on audit_event for each row execute function refuse_change()`,
    );
    this.addSql(`create trigger audit_event_unchanged before update on audit_event for each row
      when (${differs('account_id id at actor action mode subject_id request_id')}
        or new.before is not null or new.after is not null
        or split_part(old.action, '.', 1) not in (${NAMING.map((subject) => `'${subject}'`).join(', ')}))
      execute function refuse_change()`);

    this.addSql(`drop trigger venue_connection_fixed on venue_connection`);
    this.addSql(`create trigger venue_connection_fixed before update of venue, environment, created_at, fingerprint
      on venue_connection for each row when (${differs('venue environment created_at')}
        or (old.fingerprint is not null and old.fingerprint is distinct from new.fingerprint
          and not (new.fingerprint is null and old.state = 'revoked'))) execute function refuse_change()`);
  }
}
