import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { Client } from 'pg'
import { type PrivatePostgres, startPrivatePostgres } from '../../../../../scripts/private-postgres.ts'
import { DatabaseUnavailable } from '../database.ts'
import { openDatabase } from '../open.ts'
import { followLogin } from './login.ts'

describe('logging in to PostgreSQL', () => {
  let postgres: PrivatePostgres
  let asked: string
  before(async () => {
    postgres = await startPrivatePostgres({ isDurable: false })
    const client = new Client(postgres.url)
    await client.connect()
    await client.query("CREATE ROLE hashed LOGIN PASSWORD 'right'")
    await client.query("CREATE ROLE clear LOGIN PASSWORD 'right'")
    const { rows } = await client.query<{ directory: string }>("SELECT current_setting('data_directory') AS directory")
    // The first rule that fits decides.
    writeFileSync(
      join(rows[0]?.directory ?? '', 'pg_hba.conf'),
      'local all hashed scram-sha-256\nlocal all clear password\nlocal all all trust\n',
    )
    await client.query('SELECT pg_reload_conf()')
    await client.end()
    asked = postgres.url
  })
  after(() => postgres.stop())

  const urlOf = (user: string, password?: string) => {
    const url = new URL(asked)
    url.username = user
    url.password = password ?? ''
    return url.href
  }
  const ask = async (url: string) => {
    const database = await openDatabase({ kind: 'postgresql', url }, [])
    try {
      await database.migrate()
    } finally {
      await database.close()
    }
  }

  for (const user of ['hashed', 'clear']) {
    // Regression: the driver's words were "SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string".
    it(`says that the address has no password if the server asks for one (${user})`, async () => {
      await assert.rejects(ask(urlOf(user)), (error: Error) => {
        assert.ok(error instanceof DatabaseUnavailable)
        assert.match(error.message, /the server requires a password, but the URL of the database has none$/)
        return true
      })
    })

    it(`leaves a wrong password to the server's own words (${user})`, async () => {
      await assert.rejects(ask(urlOf(user, 'wrong')), /password authentication failed/)
    })

    it(`sends nothing to a server that does not offer channel binding that is required (${user})`, async () => {
      const client = new Client(urlOf(user, 'right'))
      client.on('error', () => undefined)
      const login = followLogin(client, 'require', (error) => client.connection.stream.destroy(error))
      await assert.rejects(client.connect())
      assert.match(String(login.reason(new Error('the connection was closed'))), /does not offer channel binding/)
    })
  }

  it('does not take a server that asks for nothing for one with the channel binding that is required', async () => {
    const client = new Client(asked)
    const login = followLogin(client, 'require', assert.fail)
    await client.connect()
    assert.throws(() => login.assertBound(), /does not offer channel binding/)
    await client.end()
  })
})
