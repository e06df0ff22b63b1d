// Builds Citus from its public source (github.com/citusdata/citus, tag v13.2.2) against the PostgreSQL of this machine and installs it there,
// for `npm test -- --engine=citus`: node scripts/build-citus.ts <folder or .tar.gz> [--pg-config=/usr/bin/pg_config]. It needs a C compiler, make,
// flex, the headers of the server (Debian: postgresql-server-dev-15) and the libraries that PostgreSQL was built with (Debian: libkrb5-dev,
// liblz4-dev, libzstd-dev, libssl-dev, libpam0g-dev, libselinux1-dev, libxslt1-dev, libreadline-dev), and the right to write into the folders of
// PostgreSQL.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const usage = 'node scripts/build-citus.ts <folder or .tar.gz of the source of Citus> [--pg-config=/usr/bin/pg_config]'

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      options: { 'pg-config': { type: 'string', default: '/usr/bin/pg_config' } },
      allowPositionals: true,
    })
    const [source, another] = positionals
    if (source === undefined || another !== undefined || !existsSync(source))
      throw new Error('name one existing source')
    return { source, pgConfig: values['pg-config'] }
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n${usage}`)
    return process.exit(2)
  }
}

/** Copies or unpacks the source into a new folder, so that the developer's own stays as it is. */
function copySource(source: string, folder: string): string {
  if (statSync(source).isDirectory()) {
    cpSync(source, join(folder, 'citus'), { recursive: true, verbatimSymlinks: true, preserveTimestamps: true })
    return join(folder, 'citus')
  }
  execFileSync('tar', ['-xf', source, '-C', folder], { stdio: 'inherit' })
  const [unpacked] = readdirSync(folder)
  if (unpacked === undefined) throw new Error(`${source} is empty`)
  return join(folder, unpacked)
}

const compatibility = 'src/include/pg_version_compat.h'
const ownFunction = /^static inline bool\s+have_createdb_privilege\(void\)\s*\{[\s\S]*?^\}/m

/** The newest releases of PostgreSQL 14 and 15 declare a function that this version of Citus defines once more. */
function removeOwnFunction(folder: string, headers: string): void {
  const declared = readFileSync(join(headers, 'commands/dbcommands.h'), 'utf8')
  const file = join(folder, compatibility)
  const before = readFileSync(file, 'utf8')
  if (!declared.includes('have_createdb_privilege') || !ownFunction.test(before)) return
  writeFileSync(file, before.replace(ownFunction, '#include "commands/dbcommands.h"'))
}

const { source, pgConfig } = readArguments()
const folder = mkdtempSync(join(tmpdir(), 'build-citus-'))
try {
  const cwd = copySource(source, folder)
  const run = (command: string, args: readonly string[], env = process.env) =>
    execFileSync(command, args, { cwd, stdio: 'inherit', env })
  const ask = (what: string) => execFileSync(pgConfig, [what], { encoding: 'utf8' }).trim()
  removeOwnFunction(cwd, ask('--includedir-server'))
  run('./configure', ['--without-libcurl'], { ...process.env, PG_CONFIG: pgConfig })
  run('make', ['with_llvm=no', `-j${availableParallelism()}`])
  run('make', ['with_llvm=no', 'install'])
  console.log(`Citus is installed in ${ask('--pkglibdir')}. A server loads it with shared_preload_libraries = 'citus'.`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
