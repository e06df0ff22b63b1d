import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ConfigError, readConfig } from './config.ts'

const findProblems = (env: NodeJS.ProcessEnv): readonly string[] => {
  try {
    readConfig(env)
    return []
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.problems
  }
}

// Regression: they were passed over in silence, or read by the driver in another way than by libpq.
describe("libpq's variables that protect a connection", () => {
  it('are refused if the address does not say the same', () => {
    assert.deepEqual(findProblems({ DATABASE_URL: 'postgres://u:pw@h/db', PGSSLMODE: 'verify-full' }), [
      'PGSSLMODE is not read: add sslmode=… to the address of the database, or unset it',
    ])
    const address = 'postgres://h/db?sslmode=verify-full'
    assert.deepEqual(findProblems({ DATABASE_URL: address, PGSSLMODE: 'disable', PGSSLROOTCERT: '/ca.pem' }), [
      'PGSSLROOTCERT is not read: add sslrootcert=… to the address of the database, or unset it',
    ])
  })

  it('are refused if the address of the standbys does not', () => {
    const env = { DATABASE_URL: 'postgres://h/db?sslmode=verify-full', PGSSLMODE: 'verify-full' }
    assert.equal(findProblems({ ...env, BAILIWICK_DATABASE_REPLICA_URL: 'postgres://r/db' }).length, 1)
  })

  it('may be there beside an address that has the parameter, and on SQLite', () => {
    const env = { DATABASE_URL: 'postgres://h/db?sslmode=disable', PGSSLMODE: 'verify-full', PGSSLKEY: '' }
    assert.deepEqual([findProblems(env), findProblems({ PGSSLMODE: 'verify-full' })], [[], []])
  })
})
