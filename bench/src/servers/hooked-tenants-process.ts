// The servers of hooks, and those who create users at the tenants that have them, in a process of their own: what they do delays nothing in
// the process that takes the times.
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { type RequestListener, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createUser } from '../load/calls.ts'
import { HttpConnection } from '../load/http-connection.ts'
import { answerQuestions } from './child-process.ts'
import type { HookServer, Storm } from './hooked-tenants.ts'

export type HookedQuestion = ({ readonly kind: 'serve' } & HookServer) | ({ readonly kind: 'storm' } & Storm)

/** Opened before the first turn, and more than a tenant has places for, so that hardly any is opened while times are taken. */
const connectionCount = 120

let secret = ''
let isHangingUp = false
const servers = new Map<string, ReturnType<typeof createServer>>()

/** Starts a server that answers each call after so many milliseconds, or never, and returns its address. */
async function serve({ afterMs }: HookServer): Promise<string> {
  const respond: RequestListener = (request, response) => {
    request.resume()
    if (afterMs === null) return
    void sleep(afterMs).then(() => {
      const id = String(request.headers['webhook-id'])
      const at = String(Math.floor(Date.now() / 1000))
      const body = '{"decision":"deny"}'
      const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
      const mac = createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64')
      response.writeHead(200, { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': `v1,${mac}` }).end(body)
    })
  }
  const server = createServer(respond)
  server.on('connection', (socket) => {
    if (isHangingUp) socket.destroy()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  servers.set(url, server)
  return url
}

/** The connections that are free, of which the one is used that has been so for the longest. */
const free: HttpConnection[] = []

/** Creates users at a steady pace. Then the hook's server hangs up, so that nobody waits any longer. */
async function storm({ port, tenant, hook, perSecond, seconds }: Storm): Promise<void> {
  secret = hook.secret
  while (free.length < connectionCount) free.push(await HttpConnection.open(port))
  const next = createUser(tenant)
  const startedAt = performance.now()
  const create = async () => {
    const connection = free.shift() ?? (await HttpConnection.open(port))
    const { status } = await connection.send(next())
    if (status !== 403) throw new Error(`a user whom a hook denies was answered with ${status}`)
    free.push(connection)
  }
  const users: Promise<void>[] = []
  while (users.length < Math.ceil(perSecond * seconds)) {
    await sleep(Math.max(0, startedAt + (users.length / perSecond) * 1000 - performance.now()))
    users.push(create())
  }
  await sleep(Math.max(0, startedAt + seconds * 1000 - performance.now()))
  isHangingUp = true
  servers.get(hook.url)?.closeAllConnections()
  try {
    await Promise.all(users)
  } finally {
    isHangingUp = false
  }
}

answerQuestions((question: HookedQuestion): Promise<string | void> =>
  question.kind === 'serve' ? serve(question) : storm(question),
)
