// Callers that create and rename users of several tenants as fast as they are answered, and remember what was acknowledged.
import { setTimeout as sleep } from 'node:timers/promises'
import type { User } from '@bailiwick/contract'
import { unique } from '../harness/factories.ts'
import type { TestService } from '../harness/service.ts'

const callers = 3
const lookEveryMs = 50
/** The servers of the test share the machine with the load. */
const pauseMs = 20
const patienceMs = 240_000

export interface Load {
  /** The tenant of each user that was acknowledged, by the user's id. */
  readonly created: Map<string, string>
  /** Answers other than success and 503 with Retry-After. */
  readonly failures: string[]
  /** How many requests were answered with 503. */
  readonly unavailable: () => number
  /** Resolves once there are that many users. */
  readonly until: (users: number) => Promise<void>
  /** Resolves once that many more requests were refused. */
  readonly untilUnavailable: (more: number) => Promise<void>
  readonly stop: () => Promise<void>
}

export function startLoad(service: TestService, tenantIds: readonly string[]): Load {
  const created = new Map<string, string>()
  const failures: string[] = []
  let unavailable = 0
  const stopping = new AbortController()

  async function send(id: 'createUser' | 'updateUser', options: object): Promise<User | undefined> {
    const answer = await service.call(id, options)
    if (answer.status === 200) return answer.body as User
    if (answer.status === 503 && /^\d+$/.test(String(answer.headers['retry-after']))) {
      unavailable++
      await sleep(lookEveryMs)
    } else failures.push(`${id}: ${answer.status} ${answer.text}`)
    return undefined
  }
  async function call(caller: number): Promise<void> {
    for (let count = caller; !stopping.signal.aborted; count++) {
      await sleep(pauseMs)
      const tenantId = tenantIds[count % tenantIds.length] ?? ''
      const user = await send('createUser', { body: { tenantId, email: `${unique()}@example.com`, name: 'Ada' } })
      if (user === undefined) continue
      created.set(user.id, tenantId)
      await send('updateUser', { params: { id: user.id }, body: { name: `Ada ${count}` } })
    }
  }
  const calling = Promise.all(Array.from({ length: callers }, (_, caller) => call(caller)))
  calling.catch(() => undefined)
  const waitUntil = async (isReached: () => boolean) => {
    for (const start = performance.now(); !isReached(); await sleep(lookEveryMs)) {
      if (performance.now() - start > patienceMs)
        throw new Error(`${created.size} users, ${unavailable} refused: ${failures[0]}`)
    }
  }
  return {
    created,
    failures,
    unavailable: () => unavailable,
    until: (users) => waitUntil(() => created.size >= users),
    untilUnavailable: (more) => {
      const before = unavailable
      return waitUntil(() => unavailable >= before + more)
    },
    async stop() {
      stopping.abort()
      await calling
    },
  }
}
