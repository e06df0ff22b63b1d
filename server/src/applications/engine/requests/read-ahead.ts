// What the redemption of a code or refresh token needs is known as soon as the code is: the engine would ask for it piece by piece, each with
// a round trip to PostgreSQL. It is read at once instead, and each piece is used once, so that whatever is asked again is read again.
import type { Deps } from '../../../identity/deps.ts'
import { findLiveSession } from '../../../identity/sessions/sessions.ts'
import type { UserRecord } from '../../../identity/users/present.ts'
import { findWholeUser } from '../../../identity/users/users.ts'
import { joinedReads } from '../../../platform/db/joined-reads.ts'
import type { RowOf } from '../../../platform/db/table.ts'
import type { TenantId } from '../../../platform/ids.ts'
import { oauthSessions, oauthTokens } from '../tables.ts'

type TokenRow = RowOf<typeof oauthTokens>
type SessionRow = RowOf<typeof oauthSessions>

interface Wanted {
  readonly grantHash: string
  readonly sessionUid: string | undefined
}

export class ReadAhead {
  readonly #deps: Deps
  readonly #tenantId: TenantId
  readonly #reading = new Map<string, Promise<unknown>>()
  /** The users that the request has read, by id; undefined for those who may not sign in. */
  readonly #users = new Map<string, Promise<UserRecord | undefined>>()

  constructor(deps: Deps, tenantId: TenantId) {
    this.#deps = deps
    this.#tenantId = tenantId
  }

  /** Reads the grant, both sessions and the user of a code or token. */
  begin({ session_id: sessionId, user_id: userId }: TokenRow, { grantHash, sessionUid }: Wanted) {
    const tenantId = this.#tenantId
    const { clock } = this.#deps
    const db = joinedReads(this.#deps.db)
    this.#keep(`token ${grantHash}`, oauthTokens.byKey(db, tenantId, grantHash))
    if (sessionUid !== undefined) {
      this.#keep(`engine ${sessionUid}`, oauthSessions.first(db)`tenant_id = ${tenantId} AND uid = ${sessionUid}`)
    }
    if (sessionId !== null) {
      this.#keep(`session ${sessionId}`, findLiveSession(db, tenantId, sessionId, clock.now()))
    }
    if (userId !== null) this.#users.set(userId, quiet(activeOnly(findWholeUser({ db, clock }, tenantId, userId))))
  }

  #keep(name: string, reading: Promise<unknown>) {
    this.#reading.set(name, quiet(reading))
  }

  #take<Row>(name: string): Promise<Row | undefined> | undefined {
    const reading = this.#reading.get(name)
    this.#reading.delete(name)
    return reading as Promise<Row | undefined> | undefined
  }

  token(idHash: string): Promise<TokenRow | undefined> {
    return this.#take<TokenRow>(`token ${idHash}`) ?? oauthTokens.byKey(this.#deps.db, this.#tenantId, idHash)
  }

  sessionByUid(uid: string): Promise<SessionRow | undefined> {
    const { db } = this.#deps
    return (
      this.#take<SessionRow>(`engine ${uid}`) ?? oauthSessions.first(db)`tenant_id = ${this.#tenantId} AND uid = ${uid}`
    )
  }

  /** Returns whether a session of a user can be used. */
  async isLive(sessionId: string): Promise<boolean> {
    const { db, clock } = this.#deps
    const reading = this.#take(`session ${sessionId}`) ?? findLiveSession(db, this.#tenantId, sessionId, clock.now())
    return (await reading) !== undefined
  }

  /** Undefined for a user who does not exist or may not sign in. A request that needs a user in several places reads the user once. */
  activeUser(id: string): Promise<UserRecord | undefined> {
    const { db, clock } = this.#deps
    const reading = this.#users.get(id) ?? activeOnly(findWholeUser({ db: joinedReads(db), clock }, this.#tenantId, id))
    this.#users.set(id, reading)
    return reading
  }
}

async function activeOnly(reading: Promise<UserRecord | undefined>): Promise<UserRecord | undefined> {
  const user = await reading
  return user?.row.status === 'active' ? user : undefined
}

/** A failure is thrown where the promise is awaited. If nobody awaits it, it is not reported as an unhandled rejection. */
function quiet<T>(reading: Promise<T>): Promise<T> {
  reading.catch(() => undefined)
  return reading
}
