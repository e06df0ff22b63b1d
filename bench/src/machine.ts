// The conditions that a result depends on beside the code: enough to compare two runs, but nothing that identifies the machine.
import { execFileSync } from 'node:child_process'
import { availableParallelism, cpus, release, totalmem, type } from 'node:os'
import { DatabaseSync } from 'node:sqlite'
import { onPostgresql } from './data/store.ts'
import { repositoryRoot } from './servers/child-process.ts'

const git = (...args: string[]) => execFileSync('git', args, { cwd: repositoryRoot, encoding: 'utf8' }).trim()

/** Returns the commit, marked if files were changed after it. */
export function describeCommit(): string {
  const isChanged = git('status', '--porcelain', '--untracked-files=no') !== ''
  return git('rev-parse', '--short=12', 'HEAD') + (isChanged ? ', with changes' : '')
}

function sqliteVersion(): string {
  const database = new DatabaseSync(':memory:')
  const row = database.prepare('SELECT sqlite_version() AS version').get()
  database.close()
  return String(row?.['version'])
}

export async function describeMachine(postgresUrl: string | undefined): Promise<string> {
  const parts = [
    `${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'})`,
    `${Math.round(totalmem() / 1e9)} GB`,
    `${type()} ${release()}`,
    `Node.js ${process.version}`,
    `SQLite ${sqliteVersion()}`,
  ]
  if (postgresUrl !== undefined) {
    const version = await onPostgresql(postgresUrl, async (client) => {
      const { rows } = await client.query<{ server_version: string }>('SHOW server_version')
      return rows[0]?.server_version
    })
    parts.push(`PostgreSQL ${version}`)
  }
  return parts.join(', ')
}
