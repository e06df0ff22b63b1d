import assert from 'node:assert/strict'
import { text as textOf } from 'node:stream/consumers'
import { after, before, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Event, NamedEvent, Tenant } from '@bailiwick/contract'
import { settled } from '../../../test/harness/databases/event-log.ts'
import { createTenant, createUser } from '../../../test/harness/factories.ts'
import { describeService, operatorKey } from '../../../test/harness/service.ts'
import { ApiError } from '../http/api-error.ts'
import type { TenantId } from '../ids.ts'
import { createEventStreams } from './stream.ts'

interface Message {
  readonly id: string
  readonly event: Event | undefined
}

/** Reads a stream as a browser's EventSource does, as far as this service uses the format. */
class StreamClient {
  readonly messages: Message[] = []
  readonly status: number
  readonly contentType: string | null
  hasEnded = false
  readonly #closing: AbortController

  private constructor(response: Response, closing: AbortController) {
    this.status = response.status
    this.contentType = response.headers.get('content-type')
    this.#closing = closing
    if (response.status === 200) void this.#read(response)
  }

  static async open(url: string, headers: Readonly<Record<string, string>>): Promise<StreamClient> {
    const closing = new AbortController()
    return new StreamClient(await fetch(url, { headers, signal: closing.signal }), closing)
  }

  async #read(response: Response) {
    let text = ''
    const decoder = new TextDecoder()
    try {
      for await (const chunk of response.body ?? []) {
        text += decoder.decode(chunk, { stream: true })
        const frames = text.split('\n\n')
        text = frames.pop() ?? ''
        for (const frame of frames) this.#take(frame)
      }
    } catch {
      // Closed by the test.
    }
    this.hasEnded = true
  }

  #take(frame: string) {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(frame)?.[1]
    const id = field('id')
    const data = field('data')
    if (id !== undefined)
      this.messages.push({ id, event: data === undefined ? undefined : (JSON.parse(data) as Event) })
  }

  get events(): Event[] {
    return this.messages.flatMap(({ event }) => (event === undefined ? [] : [event]))
  }

  async until(isDone: (client: StreamClient) => boolean, what: string): Promise<void> {
    for (let tries = 0; tries < 800; tries++) {
      if (isDone(this)) return
      await sleep(10)
    }
    assert.fail(`waited in vain for ${what}: ${JSON.stringify(this.messages)}`)
  }

  close() {
    this.#closing.abort()
  }
}

describeService('GET /tenants/{tenantId}/events/stream', (service) => {
  let base: string
  const clients: StreamClient[] = []
  before(async () => {
    base = await service().app.listen({ host: '127.0.0.1', port: 0 })
  })
  after(() => {
    for (const client of clients) client.close()
  })

  async function open(tenant: Pick<Tenant, 'id'>, lastEventId?: string, token = operatorKey): Promise<StreamClient> {
    const client = await StreamClient.open(`${base}/api/v0/tenants/${tenant.id}/events/stream`, {
      authorization: `Bearer ${token}`,
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    })
    clients.push(client)
    return client
  }
  const begun = (client: StreamClient) => client.until(({ messages }) => messages.length > 0, 'the beginning')

  it('sends the events of its tenant from now on, each as the list shows it', async () => {
    const { tenant } = await createTenant(service())
    const { tenant: other } = await createTenant(service())
    await settled(service().deps.db)
    const client = await open(tenant)
    assert.equal(client.contentType, 'text/event-stream; charset=utf-8')
    await begun(client)
    const user = await createUser(service(), tenant.id, { name: 'Ada\n\ndata: forged' })
    await createUser(service(), other.id)
    await client.until(({ events }) => events.length > 0, 'an event')
    const { data } = await service().ok<{ data: NamedEvent[] }>('listEvents', {
      params: { tenantId: tenant.id },
      query: { subject: user.id },
    })
    // The list also names who acted on whom, as they are called when it is read.
    assert.deepEqual(
      client.events,
      data.map(({ actorName: _actorName, subjectName: _subjectName, ...event }) => event),
    )
    client.close()
  })

  it('continues from now if the last id was given by a database before its restoration', async () => {
    const { tenant } = await createTenant(service())
    await settled(service().deps.db)
    for (const ahead of ['999999999999999.5', '0.999999999999']) {
      if (ahead.startsWith('0.') && service().deps.db.engine === 'postgresql') continue
      const client = await open(tenant, ahead)
      await begun(client)
      await createUser(service(), tenant.id)
      await client.until(({ events }) => events.length > 0, 'the event')
      assert.deepEqual(
        client.events.map(({ type }) => type),
        ['user.created'],
      )
      client.close()
    }
  })

  it('continues after the last id with the events sent meanwhile, none skipped and none repeated', async () => {
    const { tenant } = await createTenant(service())
    const first = await open(tenant)
    await begun(first)
    let lastId = first.messages[0]?.id ?? ''
    first.close()
    const created: string[] = []
    const writer = new AbortController()
    const writing = (async () => {
      while (!writer.signal.aborted) {
        // Several at once, because that makes transactions commit out of order.
        const users = await Promise.all([1, 2, 3, 4].map(() => createUser(service(), tenant.id)))
        created.push(...users.map(({ id }) => id))
        await sleep(5)
      }
    })()
    const seen: Event[] = []
    for (let round = 0; round < 6; round++) {
      const client = await open(tenant, lastId)
      await client.until(({ events }) => events.length >= 3, 'some events')
      client.close()
      // Everything read up to some place, as by a client that crashes there.
      const kept = client.messages.filter(({ event }) => event !== undefined).slice(0, 2 + round)
      seen.push(...kept.flatMap(({ event }) => event ?? []))
      lastId = kept.at(-1)?.id ?? lastId
    }
    writer.abort()
    await writing
    const last = await open(tenant, lastId)
    const users = (events: readonly Event[]) =>
      events.filter(({ type }) => type === 'user.created').map(({ subject }) => subject.id)
    await last.until(({ events }) => users([...seen, ...events]).length >= created.length, 'the rest')
    // Long enough for a repeated event to arrive.
    await sleep(1200)
    assert.deepEqual(users([...seen, ...last.events]).toSorted(), created.toSorted())
    last.close()
  })

  it('refuses a last id that it did not give', async () => {
    const { tenant } = await createTenant(service())
    for (const id of ['1', 'abc', '1.2.3', '-1.0', "0.0' OR 1=1"]) assert.equal((await open(tenant, id)).status, 400)
  })

  it('is limited to ten at a time for a tenant, and frees places', async () => {
    const { tenant } = await createTenant(service())
    const { tenant: other } = await createTenant(service())
    const opened = await Promise.all(Array.from({ length: 12 }, () => open(tenant)))
    const statuses = opened.map(({ status }) => status)
    assert.deepEqual(
      [statuses.filter((status) => status === 200).length, statuses.filter((s) => s === 429).length],
      [10, 2],
    )
    assert.equal((await open(other)).status, 200)
    for (const client of opened) client.close()
    for (let tries = 0; ; tries++) {
      await sleep(50)
      const again = await open(tenant)
      again.close()
      if (again.status === 200) break
      assert.ok(tries < 100, 'a closed stream keeps its place')
    }
  })

  it('ends when its credential is revoked', async () => {
    const { tenant, secretKey } = await createTenant(service())
    const client = await open(tenant, undefined, secretKey)
    await begun(client)
    await service().ok('rotateTenantSecretKey', { params: { id: tenant.id }, query: { graceSeconds: '0' } })
    await client.until(({ hasEnded }) => hasEnded, 'its end')
    assert.deepEqual(
      client.events.filter(({ type }) => type === 'tenant.secret_key_rotated'),
      [],
      'nothing is sent after that',
    )
  })

  it('sends nothing that it reads while its credential is being revoked', async () => {
    const { tenant } = await createTenant(service())
    const { deps } = service()
    await settled(deps.db)
    let mayGoOn = true
    // The credential ends when the database answers; whatever was requested before was still allowed.
    const all: typeof deps.db.all = async (statement) => {
      const rows = await deps.db.all<never>(statement)
      if (rows.length > 0) mayGoOn = false
      return rows
    }
    const db = new Proxy(deps.db, {
      get: (target, name) => {
        const value: unknown = name === 'all' ? all : Reflect.get(target, name)
        return typeof value === 'function' ? (value.bind(target) as unknown) : value
      },
    })
    const stream = await createEventStreams({ ...deps, db }).open({
      tenantId: tenant.id as TenantId,
      credential: 'one',
      after: undefined,
      cut: () => undefined,
      onClosed: () => undefined,
      mayGoOn: async () => {
        if (!mayGoOn) throw new ApiError('unauthenticated')
      },
    })
    await createUser(service(), tenant.id)
    const sent = await textOf(stream)
    assert.match(sent, /^retry: /)
    assert.ok(!sent.includes('data:'), sent)
  })

  it('ends when the service stops', async () => {
    const { tenant } = await createTenant(service())
    const client = await open(tenant)
    await begun(client)
    const closed = service().app.close()
    await client.until(({ hasEnded }) => hasEnded, 'its end')
    service().app.server.closeAllConnections()
    await closed
  })
})
