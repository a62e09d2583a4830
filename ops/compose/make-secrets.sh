#!/bin/sh
# Creates the secrets of compose.yml in .data/compose, which no image or release includes. Existing ones stay. Store a copy of
# auth-secret and credential-keys apart from backups.
set -eu
cd "$(dirname "$0")/../.."
mkdir -p .data/compose && cd .data/compose
mkdir -p secrets heads backups
# Other users of the machine have no access. The service (user 10001) reads its files by way of the mount, and writes heads.
chmod 700 .
chmod 777 heads

random() { od -An -N32 -tx1 /dev/urandom | tr -d ' \n'; }
keep() { [ -s "secrets/$1" ] || printf '%s' "$2" > "secrets/$1"; }

keep database-password "$(random)"
keep database-url "postgres://trading:$(cat secrets/database-password)@postgres:5432/trading"
keep auth-secret "$(random)"
keep credential-keys "k1:$(head -c 32 /dev/urandom | base64)"
keep grafana-password "$(random)"
chmod 644 secrets/*
