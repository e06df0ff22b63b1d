// The steps of a request of a directory. Their order is in service/interfaces.ts.
import { setTimeout as sleep } from 'node:timers/promises'
import { isId, tokenPrefixes } from '@bailiwick/contract'
import { hasValidChecksum } from '../../../platform/crypto/tokens.ts'
import type { Database } from '../../../platform/db/database.ts'
import { joinedReads } from '../../../platform/db/joined-reads.ts'
import { createAddressLimiter } from '../../../platform/http/limits/address-limit.ts'
import { assertWithinLimit, createRateLimiter, limitFactor } from '../../../platform/http/limits/rate-limit.ts'
import { userAgentOf } from '../../../platform/http/pipeline.ts'
import { ownTurn } from '../../../platform/turns/loop-turns.ts'
import { type Turns, createTurns } from '../../../platform/turns/turns.ts'
import { findConnection } from '../../connections/find-connection.ts'
import type { Deps } from '../../deps.ts'
import { record } from '../log.ts'
import { baseUri, directoryActor } from '../place.ts'
import { parseBody } from '../protocol/json.ts'
import { ScimError } from '../protocol/scim-error.ts'
import { findLiveToken, recordUse } from '../tokens.ts'
import type { ScimCall, ScimParams } from './scim-call.ts'
import { refusalFor, sendAnswer, sendRefusal } from './send.ts'

export type ScimStep = (call: ScimCall) => Promise<void> | void

export interface ScimSteps {
  readonly beforeBody: readonly ScimStep[]
  readonly afterBody: readonly ScimStep[]
  /** Answers a request that a step has refused. */
  readonly refused: (call: ScimCall, error: unknown) => Promise<void>
}

/** Okta sends some hundreds of requests a minute, Entra at most 25 a second for one tenant. */
const perMinute = 1500
/** Wrong tokens by one address, before their hashes are looked up. */
const guessesPerMinute = 60

/** The changes of one directory run in their order. Those of others do not wait for them, even while a hook of the tenant is asked. */
const turnsOfDirectories = { atOnceMax: 500, atOnceOfOwnerMax: 1, waitingMax: 2000, waitingOfOwnerMax: 200 }

/**
 * Whatever number of directories provision at once, others wait for few of their transactions. Tenants take turns. On SQLite there is one at a
 * time, which leaves turns of the thread to others, and after each of them half as much time for others as it took.
 */
const turnsOfTransactions = {
  sqlite: { atOnceMax: 1, atOnceOfOwnerMax: 1, waitingMax: 500, waitingOfOwnerMax: 500 },
  postgresql: { atOnceMax: 4, atOnceOfOwnerMax: 3, waitingMax: 500, waitingOfOwnerMax: 500 },
} as const

/** Returns a database whose transactions begin when it is the owner's turn. */
const withTurns = (db: Database, inTurn: Turns, owner: string): Database => ({
  engine: db.engine,
  all: (statement) => db.all(statement),
  first: (statement) => db.first(statement),
  transaction: (body) =>
    new Promise((resolve, reject) => {
      const turn = inTurn(owner, async () => {
        const begunAt = performance.now()
        await db.transaction(body, { isPatient: true }).then(resolve, reject)
        if (db.engine === 'sqlite') await sleep((performance.now() - begunAt) / 2, undefined, { ref: false })
      })
      turn.catch(reject)
    }),
  write: (build, options) => db.write(build, options),
  snapshot: (read) => db.snapshot(read),
  check: () => db.check(),
  close: () => db.close(),
})

let loaded: Promise<typeof import('./operations.ts')> | undefined
/** Loaded by the first request of a directory. */
const load = () => (loaded ??= import('./operations.ts'))

const notValid = () => new ScimError(401, 'The token is not valid for this address.')

function bearer({ request }: ScimCall): string {
  const [scheme = '', token = ''] = (request.headers.authorization ?? '').split(' ', 2)
  const isToken = scheme.toLowerCase() === 'bearer' && token.startsWith(tokenPrefixes.scim) && hasValidChecksum(token)
  if (!isToken) throw notValid()
  return token
}

/** Enters the place of the token. An unknown, expired or revoked one, and one for another place, are refused alike. */
async function enter(deps: Deps, call: ScimCall) {
  const { tenant: tenantId, connection: connectionId } = call.request.params as ScimParams
  const token = bearer(call)
  const id = (await deps.tenants.byId(tenantId))?.row.id
  if (id !== tenantId || !isId(connectionId)) throw notValid()
  await ownTurn()
  const db = joinedReads(deps.db)
  const [row, connection] = await Promise.all([
    findLiveToken(db, deps.clock, id, token),
    findConnection(db, id, connectionId),
  ])
  if (row === undefined || connection === undefined || connection.id !== row.connection_id) throw notValid()
  call.token = row
  call.place = {
    tenantId: row.tenant_id,
    connection,
    base: baseUri(deps.config, connection),
    actor: directoryActor(connection, call.request.ip, userAgentOf(call.request)),
  }
}

export function createScimSteps(deps: Deps) {
  const { config, clock, log } = deps
  const factor = limitFactor(config)
  const guesses = createAddressLimiter({
    name: 'scim-tokens',
    count: guessesPerMinute * factor,
    windowSeconds: 60,
    clock,
  })
  const requests = createRateLimiter({ name: 'scim', count: perMinute * factor, windowSeconds: 60, clock })
  const inTurn = createTurns(turnsOfDirectories)
  const transactionInTurn = createTurns(turnsOfTransactions[deps.db.engine])

  return {
    /** Finds where the token acts: it alone says which tenant, organization and connection. */
    authenticate: async (call: ScimCall) => {
      guesses.check(call.request, call.reply)
      try {
        await enter(deps, call)
      } catch (error) {
        if (error instanceof ScimError) guesses.count(call.request)
        throw error
      }
    },

    /** Refuses a directory that has sent too many requests, and one whose connection is switched off. */
    limit: ({ entered: { connection }, reply }: ScimCall) => {
      assertWithinLimit(reply, requests, requests.take(connection.id))
      if (connection.state === 'off') throw new ScimError(403, 'The connection is switched off.')
    },

    /** Reads the body, of which nothing is trusted. */
    parse: (call: ScimCall) => {
      const { body } = call.request
      call.body = typeof body === 'string' && body.trim() !== '' ? parseBody(body) : undefined
    },

    run: async (call: ScimCall) => {
      const { operate } = await load()
      const { tenantId, connection } = call.entered
      if (!call.isWrite) call.answer = await operate(deps, call)
      else {
        const db = withTurns(deps.db, transactionInTurn, tenantId)
        call.answer = await inTurn(connection.id, () => operate({ ...deps, db }, call))
      }
    },

    /** Writes the log of a change, and that the token was used. */
    record: async (call: ScimCall) => {
      if (call.token !== undefined) await recordUse(deps, call.token)
      if (call.isWrite) await record(deps, call, call.answer?.status ?? 500, null)
    },

    send: ({ reply, answer }: ScimCall) => {
      if (answer === undefined) throw new Error('there is no answer to send')
      sendAnswer(reply, answer)
    },

    /** Answers what was refused, and logs it once it is known whose directory it is. */
    refused: async (call: ScimCall, error: unknown) => {
      const refusal = refusalFor(error)
      if (refusal.cause !== undefined) log.error({ requestId: call.request.id, err: refusal.cause }, 'SCIM failed')
      // A request too many is not logged: the log would be as long as the limit is not.
      const isLogged = call.place !== undefined && refusal.error.status !== 429 && refusal.error.status !== 503
      if (isLogged) {
        await record(deps, call, refusal.error.status, refusal.reason).catch((err: unknown) =>
          log.warn({ err }, 'cannot write the log of a directory'),
        )
      }
      sendRefusal(call.reply, refusal)
    },
  }
}
