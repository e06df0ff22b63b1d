// Callers that create users and tenants as fast as they are answered, and remember what was acknowledged.
import assert from 'node:assert/strict'
import { request } from './service-process.ts'

const callers = 8

let phones = 0
const nextPhone = () => `+49${String(++phones).padStart(11, '0')}`

/** What was acknowledged, and so must be stored for ever. */
export interface Promised {
  readonly users: Map<string, { readonly tenantId: string; readonly email: string }>
  readonly tenants: Map<string, { readonly slug: string }>
}

export const nothingPromised = (): Promised => ({ users: new Map(), tenants: new Map() })

export interface Load {
  readonly promised: Promised
  /** How many requests were answered with 503. */
  unavailable(): number
  /** Ends the load and resolves when every caller has its last answer. */
  stop(): Promise<void>
}

interface LoadOptions {
  /** The base address of the interface. */
  readonly api: string
  /** The users' tenant. */
  readonly tenantId: string
  /** Makes the names of one load differ from those of another. */
  readonly name: string
  /** What was acknowledged to earlier loads; grows. */
  readonly promised: Promised
  /** Whether 503 is an answer to be expected. */
  readonly mayBeUnavailable?: boolean
}

export function startLoad({ api, tenantId, name, promised, mayBeUnavailable = false }: LoadOptions): Load {
  const stopping = new AbortController()
  let unavailable = 0

  const create = async (path: string, json: object, keep: (id: string) => void) => {
    const answer = await request(api + path, { json }).catch(() => undefined)
    // The process is gone: whether the change was made is unknown, and nothing was acknowledged.
    if (answer === undefined) return false
    if (answer.status === 200) keep(String(answer.body['id']))
    else {
      assert.deepEqual([mayBeUnavailable, answer.status], [true, 503], JSON.stringify(answer.body))
      assert.match(answer.headers.get('retry-after') ?? '', /^\d+$/)
      unavailable++
    }
    return true
  }

  const call = async (caller: number) => {
    for (let count = 0; !stopping.signal.aborted; count++) {
      const own = `${name}-${caller}-${count}`
      const email = `${own}@example.com`
      const isAnswered =
        count % 4 === caller % 4
          ? await create('/tenants', { name: own, slug: own, environment: 'staging', domain: `${own}.example` }, (id) =>
              promised.tenants.set(id, { slug: own }),
            )
          : await create('/auth/users', { tenantId, email, phone: nextPhone(), username: own }, (id) =>
              promised.users.set(id, { tenantId, email }),
            )
      if (!isAnswered) return
    }
  }
  const calling = Promise.all(Array.from({ length: callers }, (_, caller) => call(caller)))
  calling.catch(() => undefined)
  return {
    promised,
    unavailable: () => unavailable,
    async stop() {
      stopping.abort()
      await calling
    },
  }
}
