#!/bin/sh
# Dumps the database at the start and then each day, keeps the newest $KEEP, and records it for the metrics. `sh backup.sh once` ends after one.
set -eu
folder="${FOLDER:-/backups}"

back_up() {
  [ -z "${PASSWORD_FILE:-}" ] || export PGPASSWORD="$(cat "$PASSWORD_FILE")"
  file="$folder/trading-$(date -u +%Y%m%dT%H%M%SZ).dump"
  is_ok=false
  # Under another name until it is whole, and again if it cannot be recorded: dumps of a database without tables take no place of
  # those that are kept. What is recorded has its name already, should this end in between.
  part="$folder/trading.part"
  if pg_dump --format=custom --file="$part" && pg_restore --list "$part" > /dev/null && mv "$part" "$file"; then
    is_ok=true
  fi
  psql -qX -v ON_ERROR_STOP=1 -c "insert into operation_run as o (name, ended_at, is_ok, last_ok_at)
    values ('backup', clock_timestamp(), $is_ok, case when $is_ok then clock_timestamp() end)
    on conflict (name) do update set ended_at = excluded.ended_at, is_ok = excluded.is_ok,
      last_ok_at = coalesce(excluded.last_ok_at, o.last_ok_at)" || { # `until` turns off set -e
    [ "$is_ok" = false ] || mv "$file" "$part"
    return 1
  }
  [ "$is_ok" = true ] || return 1
  rm -f "$folder"/*.part
  ls -1 "$folder"/trading-*.dump | sort -r | tail -n "+$((KEEP + 1))" | xargs -r rm --
  echo "$file"
}

if [ "${1:-}" = once ]; then
  back_up
  exit
fi
# The tables are there once the service has started.
until back_up; do sleep 60; done
while sleep 86400; do back_up || echo 'The backup failed.' >&2; done
