import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { type NameServer, startNameServer } from '../../../test/harness/outside/name-server.ts'
import { TooManyWaiting } from '../turns/turns.ts'
import { addressesInHosts, createNames } from './names.ts'

const endless = { tryMs: 600_000, lookupMs: 3_600_000 }
const src = new URL('../..', import.meta.url).pathname

describe('names that tenants choose', () => {
  let server: NameServer
  before(async () => {
    server = await startNameServer()
    server.isSilent = (name) => name.endsWith('silent.example')
    server.addresses.set('host.example', '203.0.113.7')
    server.records.set('text.example', ['one', 'other'])
  })
  after(() => server.close())
  const ask = () => createNames({ dnsServers: [server.address] }, endless)
  const coded = (code: string) => (error: unknown) => error instanceof Error && Reflect.get(error, 'code') === code

  it('are asked of the configured name servers', async () => {
    const names = ask()
    const found = [{ address: '203.0.113.7', family: 4 }]
    assert.deepEqual(await names.addresses('Host.Example.', { owner: 'one' }), found)
    assert.deepEqual(await names.texts('text.example', { owner: 'one' }), [['one'], ['other']])
    await assert.rejects(names.addresses('none.example', { owner: 'one' }), coded('ENOTFOUND'))
    await assert.rejects(names.addresses('text.example', { owner: 'one' }), coded('ENODATA'))
  })

  it('are resolved by the hosts file first, and localhost is always this machine', async () => {
    const hosts =
      '127.0.0.1 localhost # gone.example\n#10.0.0.9 gone.example\n10.0.0.1\tA.example b.example\r\nfd00::1 b.example\nx c'
    assert.deepEqual(addressesInHosts(hosts, 'a.example'), [{ address: '10.0.0.1', family: 4 }])
    assert.deepEqual(
      addressesInHosts(hosts, 'b.example').map(({ address }) => address),
      ['10.0.0.1', 'fd00::1'],
    )
    for (const none of ['gone.example', 'c', '', '10.0.0.1']) assert.deepEqual(addressesInHosts(hosts, none), [], none)
    for (const name of ['localhost', 'LOCALHOST.', 'a.localhost']) {
      const found = await ask().addresses(name, { owner: 'one' })
      assert.ok(found.length > 0 && found.every(({ address }) => ['127.0.0.1', '::1'].includes(address)), name)
    }
  })

  // Guards: silent-servers
  it('are looked up a few at a time for each tenant, so that no tenant takes the places of another', async () => {
    const names = ask()
    const stop = new AbortController()
    const asked = Array.from({ length: 400 }, (_, n) =>
      names.addresses(`${n}.silent.example`, { owner: 'one', signal: stop.signal }),
    )
    const settled = Promise.allSettled(asked)
    // Surplus look-ups are refused at once; the others get no answer.
    await assert.rejects(
      Promise.any(asked.slice(-1)),
      (error: AggregateError) => error.errors[0] instanceof TooManyWaiting,
    )
    assert.equal((await names.addresses('host.example', { owner: 'other' })).length, 1)
    stop.abort()
    const refused = (await settled).filter(
      (each) => each.status === 'rejected' && each.reason instanceof TooManyWaiting,
    )
    assert.equal(refused.length, 400 - 16 - 128)
    assert.ok(new Set(server.unanswered.map(({ name }) => name)).size <= 16)
    assert.equal((await names.addresses('host.example', { owner: 'one' })).length, 1)
  })

  // Guards: silent-servers
  it('are given up in time, even while they wait for their turn', async () => {
    const names = createNames({ dnsServers: [server.address] }, { tryMs: 5, lookupMs: 10 })
    const asked = Array.from({ length: 40 }, (_, n) => names.texts(`${n}.silent.example`, { owner: 'one' }))
    for (const each of await Promise.allSettled(asked)) assert.equal(each.status, 'rejected')
  })

  // Guards: silent-servers
  it('are never passed to the system resolver, which blocks a thread that files and hashes need', () => {
    const importing = globSync(`${src}**/*.ts`).filter(
      (path) => !path.endsWith('.test.ts') && /from '(?:node:)?dns(?:\/promises)?'/.test(readFileSync(path, 'utf8')),
    )
    assert.deepEqual(importing.map((path) => relative(src, path)).toSorted(), [
      'platform/net/egress.ts',
      'platform/net/names.ts',
    ])
    // Uses the default resolver, which is only for the operator's own mail server.
    const callers = globSync(`${src}**/*.ts`).filter(
      (path) => !path.endsWith('.test.ts') && /createEgress\(\{[^}]*\}\)/.test(readFileSync(path, 'utf8')),
    )
    assert.deepEqual(
      callers.map((path) => relative(src, path)),
      ['messaging/notifications/providers/email-smtp.ts'],
    )
  })
})
