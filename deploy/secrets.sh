#!/bin/sh
# Makes the secrets of compose.yaml once; what is there stays. Keep secrets/master-key apart from backups, and do not lose it.
set -eu
cd "$(dirname "$0")"
umask 077
mkdir -p secrets
make() { [ -s "secrets/$1" ] || printf '%s\n' "$2" > "secrets/$1"; }
make master-key "$(openssl rand -base64 32)"
make operator-key "op_$(openssl rand -hex 32)"
make database-password "$(openssl rand -hex 24)"
make database-superuser-password "$(openssl rand -hex 24)"
make database-url \
  "postgresql://bailiwick:$(cat secrets/database-password)@postgresql1:5432,postgresql2:5432/bailiwick?target_session_attrs=read-write"
# The nodes run as user 1000, and a container sees the files with the owner that they have here.
chmod 711 secrets && chmod 644 secrets/*
