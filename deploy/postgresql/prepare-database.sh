#!/bin/sh
# Patroni runs this once, on the first primary, with the address of the new server.
set -eu
psql --no-psqlrc --quiet --set=ON_ERROR_STOP=1 --set=password="$(cat /run/secrets/database-password)" "$1" <<'SQL'
CREATE ROLE bailiwick LOGIN PASSWORD :'password';
CREATE DATABASE bailiwick OWNER bailiwick;
SQL
