// Several nodes of one deployment that tests see as one service: each request goes to the node that has not answered the one before, so that
// a test written for one node fails wherever its outcome depends on the memory of a node.
import type { FastifyInstance, InjectOptions } from 'fastify'
import { pino } from 'pino'
import { followInvalidations } from '../../src/platform/cache/invalidation-feed.ts'
import { invalidationChannel } from '../../src/platform/cache/invalidation.ts'
import type { Memory } from '../../src/platform/cache/memory.ts'
import type { OpenDatabase } from '../../src/platform/db/open.ts'
import { sql } from '../../src/platform/db/sql.ts'

interface Node {
  readonly app: FastifyInstance
  readonly memory: Memory
  readonly database: OpenDatabase
}

interface Follower {
  /** Waits until this node knows what other nodes had committed before the call. */
  readonly catchUp: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** A node hears of changes in the order of their commits, so that it knows all earlier ones once it hears of a mark. */
async function follow({ memory: { tenants, sessions }, database }: Node): Promise<Follower> {
  const awaited = new Map<string, () => void>()
  let count = 0
  const heard = (id: string) => {
    awaited.get(id)?.()
    awaited.delete(id)
    tenants.invalidate(id)
  }
  const memory = { sessions, tenants: { ...tenants, invalidate: heard } }
  const stop = await followInvalidations(database, memory, pino({ level: 'silent' }))
  const catchUp = async () => {
    const mark = `mark-${++count}`
    const reached = new Promise<void>((resolve) => awaited.set(mark, resolve))
    await database.all(sql`SELECT pg_notify(${invalidationChannel}, ${mark})`)
    await reached
  }
  return { catchUp, stop }
}

/** Makes one application of several nodes over one PostgreSQL. All but what is sent to it is the first node's. */
export async function joinNodes(nodes: readonly Node[]): Promise<{ app: FastifyInstance; stop: () => Promise<void> }> {
  const [first] = nodes
  if (first === undefined) throw new Error('there are no nodes')
  const followers = await Promise.all(nodes.map(follow))
  let sent = 0
  const inject = async (options: InjectOptions) => {
    const turn = sent++ % nodes.length
    await followers[turn]?.catchUp()
    return (nodes[turn] ?? first).app.inject(options)
  }
  const app = new Proxy(first.app, {
    get: (target, name) => (name === 'inject' ? inject : (Reflect.get(target, name) as unknown)),
  })
  return { app, stop: async () => void (await Promise.all(followers.map(({ stop }) => stop()))) }
}
