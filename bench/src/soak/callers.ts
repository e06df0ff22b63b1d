// Callers of every kind, which send requests to the service without a pause or at a given rate, across its faults and restarts, and remember
// what it promised.
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Dataset } from '../data/dataset.ts'
import { type People, password } from '../data/people.ts'
import { createTenant, createUser, listMembers, lookUp } from '../load/calls.ts'
import { HttpConnection } from '../load/http-connection.ts'
import { bodyText, requestBytes } from '../load/request.ts'

const callers = 8
const pauseAfterFailureMs = 100
/** How many promises are kept, to be read back later. */
const promisesMax = 2000
const frontend = '/frontend/api/v0'

interface Operation {
  readonly name: string
  /** How often the kind of request is chosen, relative to the others. */
  readonly weight: number
  readonly status: number
  bytes(): Buffer
  /** Called with each correct answer. */
  hear?(body: string): void
}

export interface Callers {
  /**
   * Returns the times of the correct answers since the last call, in milliseconds.
   * @throws Error if a caller got a wrong answer.
   */
  takeTimes(): number[]
  /** How many requests were answered with 503 or by a connection that ended. */
  unavailable(): number
  /** The ids of users whose creation was acknowledged. */
  readonly promised: readonly string[]
  /** Stops them, and resolves when each has its last answer. Rejects if one got a wrong answer. */
  stop(): Promise<void>
}

function operations(dataset: Dataset, { emails, cookies }: People, promised: string[]): Operation[] {
  const { main } = dataset
  // Repeated sign-ins end a person's oldest sessions, so people whose sessions are checked do not sign in.
  const checked = cookies.slice(0, cookies.length / 2)
  const signingIn = emails.slice(emails.length / 2)
  const any = (values: readonly string[]) => values[randomInt(values.length)] ?? ''
  const authorization = { authorization: `Bearer ${main.secretKey}` }
  const publicKey = { 'x-public-key': main.publicKey }
  const get = (path: string, headers: Record<string, string>) => requestBytes({ method: 'GET', path, headers })
  const post = (path: string, headers: Record<string, string>, body: object) =>
    requestBytes({ method: 'POST', path, headers, body: JSON.stringify(body) })
  return [
    { name: 'look-up', weight: 40, status: 200, bytes: lookUp(dataset) },
    { name: 'list', weight: 10, status: 200, bytes: listMembers(dataset, '') },
    {
      name: 'session check',
      weight: 20,
      status: 200,
      bytes: () => get(`${frontend}/user/profile`, { ...publicKey, cookie: any(checked) }),
    },
    {
      name: 'new user',
      weight: 15,
      status: 200,
      bytes: createUser(main),
      hear(body) {
        const { id } = JSON.parse(body) as { readonly id: string }
        if (promised.length < promisesMax) promised.push(id)
        else promised[randomInt(promisesMax)] = id
      },
    },
    { name: 'new tenant', weight: 2, status: 200, bytes: createTenant(dataset) },
    {
      name: 'sign-in',
      weight: 3,
      status: 200,
      bytes: () =>
        post(`${frontend}/sign-ins`, publicKey, { identifier: any(signingIn), strategy: 'email_password', password }),
    },
    {
      name: 'user read back',
      weight: 6,
      status: 200,
      bytes: () =>
        promised.length === 0 ? lookUp(dataset)() : get(`/api/v0/auth/users/${any(promised)}`, authorization),
    },
    {
      name: 'junk',
      weight: 2,
      status: 400,
      bytes: () => post('/api/v0/auth/users', authorization, { tenantId: main.id, email: 7 }),
    },
    {
      name: 'a wrong key',
      weight: 2,
      status: 401,
      bytes: () => get('/api/v0/auth/users', { authorization: 'Bearer sk_wrong' }),
    },
  ]
}

/** Sends one request and closes the connection before the answer. */
async function hangUp(port: number, bytes: Buffer) {
  const connection = await HttpConnection.open(port)
  connection.send(bytes).catch(() => undefined)
  await sleep(randomInt(4))
  connection.close()
}

/**
 * @param portNow returns the service's port, which changes with a restart.
 * @param perSecond how many requests all of them send in a second, at most; without it, as many as are answered.
 */
export function startCallers(dataset: Dataset, people: People, portNow: () => number, perSecond = Infinity): Callers {
  const promised: string[] = []
  const all = operations(dataset, people, promised)
  const drawn = all.flatMap((operation) => Array.from({ length: operation.weight }, () => operation))
  let times: number[] = []
  let unavailable = 0
  const stopping = new AbortController()

  async function ask(connection: HttpConnection) {
    const operation = drawn[randomInt(drawn.length)]
    if (operation === undefined) return
    const startedAt = performance.now()
    const { status, bytes } = await connection.send(operation.bytes())
    if (status === 503) {
      unavailable++
      await sleep(pauseAfterFailureMs)
    } else if (status === operation.status) {
      times.push(performance.now() - startedAt)
      operation.hear?.(bodyText(bytes))
    } else throw new WrongAnswer(`${operation.name} answered ${status}: ${bodyText(bytes).slice(0, 500)}`)
  }

  const pauseMs = (callers * 1000) / perSecond
  async function call(number: number) {
    let connection: HttpConnection | undefined
    for (let count = 0; !stopping.signal.aborted; count++) {
      if (pauseMs > 0) await sleep(pauseMs)
      try {
        connection ??= await HttpConnection.open(portNow(), `127.0.1.${number + 1}`)
        await ask(connection)
        if (count % 50 === 0) await hangUp(portNow(), createUser(dataset.main)())
      } catch (error) {
        if (error instanceof WrongAnswer) throw error
        connection?.close()
        connection = undefined
        unavailable++
        await sleep(pauseAfterFailureMs)
      }
    }
    connection?.close()
  }

  const calling = Promise.all(Array.from({ length: callers }, (_, number) => call(number)))
  let wrong: unknown
  calling.catch((error: unknown) => {
    wrong = error
    stopping.abort()
  })
  return {
    takeTimes() {
      if (wrong !== undefined) throw wrong
      const taken = times
      times = []
      return taken
    },
    unavailable: () => unavailable,
    promised,
    async stop() {
      stopping.abort()
      await calling
    },
  }
}

/** An answer that no fault explains. */
class WrongAnswer extends Error {}
