#!/bin/sh
# Starts Patroni, which starts PostgreSQL.
set -eu
password=$(cat /run/secrets/database-superuser-password)
export PATRONI_NAME="${HOSTNAME:-$(hostname)}"
export PATRONI_RESTAPI_CONNECT_ADDRESS="$PATRONI_NAME:8008"
export PATRONI_POSTGRESQL_CONNECT_ADDRESS="$PATRONI_NAME:5432"
export PATRONI_POSTGRESQL_BIN_DIR="$(ls -d /usr/lib/postgresql/*/bin)"
export PATRONI_SUPERUSER_USERNAME=postgres PATRONI_SUPERUSER_PASSWORD="$password"
export PATRONI_REPLICATION_USERNAME=replicator PATRONI_REPLICATION_PASSWORD="$password"
exec patroni /etc/patroni/patroni.yml
