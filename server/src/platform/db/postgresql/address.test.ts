import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Client } from 'pg'
import { PostgresqlAddressError } from './address-error.ts'
import { parsePostgresqlAddress } from './address.ts'

/** Returns where the driver connects for each of the hosts, in order. */
const placesOf = (url: string) =>
  parsePostgresqlAddress(url).hosts.map(({ config }) => {
    const { host, port, user, database } = new Client(config)
    return [host, port, user ?? '', database ?? '']
  })

describe('the address of PostgreSQL', () => {
  it('names one server, as before', () => {
    assert.deepEqual(placesOf('postgres://u:p@h/db'), [['h', 5432, 'u', 'db']])
    assert.deepEqual(placesOf('postgresql://u@[2001:db8::1]:6000/db'), [['2001:db8::1', 6000, 'u', 'db']])
    assert.deepEqual(placesOf('postgresql://u@/db?host=%2Frun%2Fpostgresql'), [['/run/postgresql', 5432, 'u', 'db']])
    assert.deepEqual(placesOf('postgresql://u@%2Frun:5433/db'), [['/run', 5433, 'u', 'db']])
    assert.deepEqual(placesOf('postgresql://u@localhost/db?host=/run&port=7000'), [['/run', 7000, 'u', 'db']])
    assert.deepEqual(placesOf('postgresql://u@/db'), [['localhost', 5432, 'u', 'db']])
  })

  // Guards: several-hosts
  it('names several, each with its port or the usual one', () => {
    assert.deepEqual(placesOf('postgresql://u:p@h1:5432,h2:5433,[::1]/db?target_session_attrs=read-write'), [
      ['h1', 5432, 'u', 'db'],
      ['h2', 5433, 'u', 'db'],
      ['::1', 5432, 'u', 'db'],
    ])
  })

  it('names several in the query, with one port for all or one for each', () => {
    const two = (a: number, b: number) => [
      ['/run/a', a, 'u', 'db'],
      ['h2', b, 'u', 'db'],
    ]
    assert.deepEqual(placesOf('postgresql://u@/db?host=/run/a,h2'), two(5432, 5432))
    assert.deepEqual(placesOf('postgresql://u@/db?host=/run/a,h2&port=6000'), two(6000, 6000))
    assert.deepEqual(placesOf('postgresql://u@/db?host=/run/a,h2&port=6000,6001'), two(6000, 6001))
    assert.deepEqual(placesOf('postgresql://u@ignored/db?host=/run/a,h2&port=,6001'), two(5432, 6001))
  })

  it('gives every server the same password and TLS', () => {
    const url = 'postgresql://u:p%40ss@h1,h2/db?uselibpqcompat=true&sslmode=require&load_balance_hosts=disable'
    for (const { config } of parsePostgresqlAddress(url).hosts) {
      const client = new Client(config)
      assert.equal(client.password, 'p@ss')
      assert.deepEqual(client.ssl, { rejectUnauthorized: false })
    }
  })

  it('checks the certificate and the name of a server unless it says otherwise', () => {
    const tls = (query: string) => {
      const [host] = parsePostgresqlAddress(`postgresql://u@h/db?${query}`).hosts
      return new Client(host?.config).ssl
    }
    for (const query of ['sslmode=require', 'sslmode=verify-ca', 'sslmode=verify-full', 'ssl=true']) {
      assert.deepEqual(tls(query), {}, query)
    }
    assert.equal(tls('sslmode=disable'), false)
    assert.deepEqual(tls('sslmode=no-verify'), { rejectUnauthorized: false })
    assert.deepEqual(tls('sslmode=require&uselibpqcompat=true'), { rejectUnauthorized: false })
  })

  it('takes what asks for what is done anyway, and the database from the query', () => {
    const url = 'postgresql://h/?user=u&dbname=a%20db&gssencmode=prefer&keepalives=1&application_name=mine'
    assert.deepEqual(placesOf(url), [['h', 5432, 'u', 'a db']])
  })

  it('binds the password to the TLS connection if it says so', () => {
    const bindings = ['', 'channel_binding=prefer', 'sslmode=require&channel_binding=require'].map(
      (query) => parsePostgresqlAddress(`postgresql://u@h/db?${query}`).channelBinding,
    )
    assert.deepEqual(bindings, ['disable', 'prefer', 'require'])
  })

  it('puts the servers in an order of its own where the load shall be balanced', () => {
    const names = Array.from({ length: 10 }, (_, n) => `h${n}`)
    const url = `postgresql://u@${names.join(',')}/db?load_balance_hosts=random`
    const orders = Array.from({ length: 20 }, () => placesOf(url).map(([host]) => String(host)))
    for (const order of orders) assert.deepEqual(order.toSorted(), names)
    assert.ok(new Set(orders.map(String)).size > 1)
  })

  it('waits less for each of several servers, or as long as it says', () => {
    const waits = ['h/db', 'h1,h2/db', 'h1,h2/db?connect_timeout=7', 'h/db?connect_timeout=0'].map(
      (rest) => parsePostgresqlAddress(`postgresql://${rest}`).connectMilliseconds,
    )
    assert.deepEqual(waits, [3000, 2000, 7000, 3000])
  })

  const refused: readonly (readonly [string, RegExp])[] = [
    ['mysql://u@h/db', /must start with/],
    ['postgresql://u:p#ss@h/db', /%23/],
    ['postgresql://u@h1 ,h2/db', /not a URL/],
    ['postgresql://u@h1:99999/db', /port that is not a number from 1 to 65535/],
    ['postgresql://u@h1:x/db', /host or port that is not valid/],
    ['postgresql://u@h1,,h2/db', /a host without a name/],
    ['postgresql://u@h%zz/db', /hexadecimal/],
    ['postgresql://u@/db?host=a,b,c&port=1,2', /as many ports as hosts/],
    ['postgresql://u@h/db?hostaddr=10.0.0.1', /hostaddr, which is not supported/],
    [
      'postgresql://u@h/db?target_session_attrs=standby',
      /standby, which can select a server that does not accept writes/,
    ],
    [
      'postgresql://u@h/db?target_session_attrs=read-only',
      /read-only, which can select a server that does not accept writes/,
    ],
    ['postgresql://u@h/db?target_session_attrs=prefer-standby', /prefer-standby, which can select a server that does/],
    ['postgresql://u@h/db?target_session_attrs=master', /unknown target_session_attrs/],
    ['postgresql://u@h/db?load_balance_hosts=on', /unknown load_balance_hosts/],
    ['postgresql://u@h/db?connect_timeout=soon', /connect_timeout/],
    ['postgresql://u@h/db?sslmode=prefer', /sslmode=prefer, with which the connection may be unencrypted/],
    ['postgresql://u@h/db?sslmode=allow', /sslmode=allow, with which the connection may be unencrypted/],
    ['postgresql://u@h/db?sslmode=verify_full', /unknown sslmode; use disable, require, verify-ca or verify-full/],
    ['postgresql://u@h/db?sslmode=', /unknown sslmode/],
    ['postgresql://u@h/db?sslmod=require', /the parameter sslmod, which is not supported/],
    ['postgresql://u@h/db?SSLMODE=require', /the parameter SSLMODE, which is not supported/],
    ['postgresql://u@h/db?ssl_min_protocol_version=TLSv1.3', /ssl_min_protocol_version, which is not supported/],
    ['postgresql://u@h/db?statement_timeout=0', /statement_timeout, which is not supported/],
    ['postgresql://u@h/db?constructor=x', /the parameter constructor, which is not supported/],
    ['postgresql://u@h/db?word=x@y', /a parameter that is not supported/],
    ['postgresql://u@h/db?ssl=no-verify', /unknown value of ssl; use sslmode/],
    ['postgresql://u@h/db?sslrootcert=/none/such.pem', /a file in sslrootcert that cannot be read/],
    ['postgresql://u@h/db?sslmode=verify-ca&uselibpqcompat=true', /verify-ca without sslrootcert/],
    ['postgresql://u@h/db?sslmode=disable&sslnegotiation=direct', /sslnegotiation=direct, which needs/],
    ['postgresql://u@h/db?channel_binding=require', /channel_binding=require, which needs TLS/],
    ['postgresql://u@h/db?sslmode=require&channel_binding=yes', /unknown channel_binding; use disable, prefer or req/],
    ['postgresql://u@h/db?gssencmode=require', /a value of gssencmode that is not supported; use disable or prefer/],
  ]
  for (const [url, reason] of refused) {
    // Guards: several-hosts
    it(`is refused as ${url}, and says why without repeating it`, () => {
      assert.throws(
        () => parsePostgresqlAddress(url),
        (error) => {
          assert.ok(error instanceof PostgresqlAddressError)
          assert.match(error.message, reason)
          assert.ok(!error.message.includes('u@'))
          return true
        },
      )
    })
  }
})
