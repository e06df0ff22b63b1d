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
# A container sees the files with the owner and the mode that they have here. The nodes run as group 1000, which
# compose.yaml gives to PostgreSQL too. Nobody else on this machine can open them.
chmod 710 secrets && chmod 640 secrets/*
if [ "$(id -u)" = 0 ]; then
  chown 0:1000 secrets secrets/*
elif [ "$(id -g)" != 1000 ] && ! chgrp 1000 secrets secrets/* 2>/dev/null; then
  echo "The nodes cannot read these files: run 'sudo chown -R 0:1000 deploy/secrets' once." >&2
fi
