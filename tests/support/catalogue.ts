/** Lists all parts of a schema, a row each: two databases with the same list behave alike. */
export const CATALOGUE = `
  with place as (select oid, nspname from pg_namespace where nspname in ('public', 'auth'))
  select kind, name, definition from (
    select 'column', format('%s.%s.%s', nspname, relname, attname),
      concat_ws(' ', count(*) over (partition by attrelid order by attnum), format_type(atttypid, atttypmod),
        attnotnull, pg_get_expr(adbin, adrelid), attstorage, attcompression, attidentity, attgenerated, attstattarget)
    from pg_attribute join pg_class c on c.oid = attrelid join place on place.oid = relnamespace
    left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where relkind in ('r', 'p') and attnum > 0 and not attisdropped
    union all
    select relkind::text, format('%s.%s', nspname, relname),
      concat_ws(' ', reloptions, relrowsecurity, relforcerowsecurity, relpersistence, relreplident)
    from pg_class c join place on place.oid = relnamespace
    union all
    select 'constraint', format('%s.%s', conrelid::regclass, conname), pg_get_constraintdef(c.oid)
    from pg_constraint c join place on place.oid = connamespace
    union all
    select 'index', indexrelid::regclass::text, pg_get_indexdef(indexrelid)
    from pg_index join pg_class c on c.oid = indexrelid join place on place.oid = relnamespace
    union all
    select 'trigger', format('%s.%s', tgrelid::regclass, tgname), concat_ws(' ', pg_get_triggerdef(t.oid), tgenabled)
    from pg_trigger t join pg_class c on c.oid = tgrelid join place on place.oid = relnamespace where not tgisinternal
    union all
    select 'function', p.oid::regprocedure::text, concat_ws(' ', regexp_replace(pg_get_functiondef(p.oid), '\\s+', ' ', 'g'), proacl)
    from pg_proc p join place on place.oid = pronamespace
    union all
    select 'sequence', seqrelid::regclass::text, concat_ws(' ', to_jsonb(s) - 'seqrelid',
      (select format('%s.%s', refobjid::regclass, refobjsubid) from pg_depend
       where objid = seqrelid and deptype in ('a', 'i') and refobjsubid > 0))
    from pg_sequence s join pg_class c on c.oid = seqrelid join place on place.oid = relnamespace
    union all
    select 'policy', format('%s.%s', polrelid::regclass, polname), concat_ws(' ', polcmd, pg_get_expr(polqual, polrelid))
    from pg_policy join pg_class c on c.oid = polrelid join place on place.oid = relnamespace
  ) as listed (kind, name, definition) order by 1, 2, 3`;
