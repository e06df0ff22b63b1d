// What one request to the authorization server reads and writes. The engine calls its adapter several times for a request; all writes are
// held back here and committed in one transaction, with their events, before the answer is sent. Only the hashes of ids are stored.
import { hash } from 'node:crypto'
import type { Deps } from '../../../identity/deps.ts'
import { addFollower, holdForFollower } from '../../../identity/sessions/followers.ts'
import { type Timestamp, fromMs } from '../../../platform/clock.ts'
import { type Statement, sql } from '../../../platform/db/sql.ts'
import type { RowOf } from '../../../platform/db/table.ts'
import type { NewEvent } from '../../../platform/events/append.ts'
import type { ApplicationId, GrantId, OrganizationId, SessionId, TenantId, UserId } from '../../../platform/ids.ts'
import { fromJson, toJson } from '../../../platform/json-text.ts'
import { oauthInteractions, oauthReplays, oauthSessions, oauthTokens } from '../tables.ts'
import { inEngineTime, inTenantTime, secondsAhead } from './engine-time.ts'
import { AlreadyUsed, HeldWrites, rowOfToken } from './held-writes.ts'
import { ReadAhead } from './read-ahead.ts'

/** A payload of the engine; its members depend on the model. */
export type Payload = Record<string, unknown>

export const hashOfId = (id: string) => hash('sha256', id, 'hex')

/** The family that the tokens of one authorization belong to. */
export interface Family {
  readonly grantId: GrantId | null
  readonly organizationId: OrganizationId | null
}

type TokenRow = RowOf<typeof oauthTokens>
type SessionRow = RowOf<typeof oauthSessions>

/** The session of the user was ended while the request was answered. */
export class SessionEnded extends Error {
  constructor() {
    super('the session has ended meanwhile')
    this.name = 'SessionEnded'
  }
}

/** What the user has allowed the application was changed or withdrawn while the request was answered. */
export class GrantChanged extends Error {
  constructor() {
    super('the grant has changed meanwhile')
    this.name = 'GrantChanged'
  }
}

/** The models with which a client gets tokens for a user. */
const redeemed: readonly string[] = ['AuthorizationCode', 'RefreshToken']

const text = (value: unknown) => (typeof value === 'string' ? value : null)
const expiryOf = (seconds: unknown): Timestamp => fromMs((Number(seconds) + secondsAhead()) * 1000)

const upsertToken = oauthTokens.upsert('payload', 'user_id', 'session_id', 'grant_id', 'organization_id', 'expires_at')
const upsertSession = oauthSessions.upsert('session_id', 'user_id', 'payload', 'expires_at')
const upsertInteraction = oauthInteractions.upsert('user_id', 'payload', 'expires_at')

export class RequestStore {
  readonly #deps: Deps
  readonly #tenantId: TenantId
  readonly #issuer: string
  /** The values written in this request that are not in the database yet, by model and hash; undefined if removed. */
  readonly #written = new Map<string, Payload | undefined>()
  readonly #writes: HeldWrites
  readonly readAhead: ReadAhead
  /** The sessions of users that sessions of the engine were made from, by the engine's uid. */
  readonly sessionOf = new Map<string, SessionId>()
  readonly familyOf = new Map<string, Family>()
  /** The sessions in which families began, which may have ended since. */
  readonly beganInByFamily = new Map<string, SessionId>()
  /** When the membership of each organization ends in which the request's user acts. */
  readonly endOfMembership = new Map<OrganizationId, Timestamp>()
  /** When the role of each user ends that this request has read. */
  readonly endOfRole = new Map<string, Timestamp>()
  readonly applicationOf = new Map<string, ApplicationId>()
  /** The clients that this request has fetched, by the address of their document; rejected if there is none. */
  readonly described = new Map<string, Promise<object | undefined>>()
  /** The requested resources without scopes that the user has allowed. */
  readonly wholeResources = new Set<string>()
  /** The answer to give in place of the engine's: that of a rotation a moment ago. */
  replay: Payload | undefined
  /** The refresh token that this request rotates. */
  rotated: string | undefined
  /** The sealed answers of tokens that were rotated a moment ago, by hash. */
  readonly answers = new Map<string, { readonly sealed: string; readonly at: Timestamp }>()
  /** The code or token of this request, if it was used before. */
  #usedBefore: AlreadyUsed | undefined
  /** The same, once the engine has decided to end its family because of the reuse. */
  reused: AlreadyUsed | undefined
  /** Whether the service itself has failed; then nothing is written. */
  hasFailed = false
  /** The session with which an exchanged token ends, because the token that it was made from ends with it. */
  exchangedSession: SessionId | undefined
  /** The session that the user of this request has just continued with. */
  continuedSession: SessionId | undefined

  constructor(deps: Deps, tenantId: TenantId, issuer: string) {
    this.#deps = deps
    this.#writes = new HeldWrites(deps, tenantId)
    this.readAhead = new ReadAhead(deps, tenantId)
    this.#tenantId = tenantId
    this.#issuer = issuer
  }

  /** The session of the user that a session of the engine was made from. */
  sessionIdOf(uid: string): SessionId | undefined {
    return this.continuedSession ?? this.sessionOf.get(uid)
  }

  get hasWrites(): boolean {
    return !this.#writes.isEmpty
  }

  get events(): NewEvent[] {
    return this.#writes.events
  }

  add(statement: Statement, options: Parameters<HeldWrites['add']>[1] = {}) {
    this.#writes.add(statement, options)
  }

  #buffered(model: string, idHash: string): { readonly payload: Payload | undefined } | undefined {
    const key = `${model} ${idHash}`
    return this.#written.has(key) ? { payload: this.#written.get(key) } : undefined
  }

  async find(model: string, id: string): Promise<Payload | undefined> {
    const idHash = hashOfId(id)
    const own = this.#buffered(model, idHash)
    const payload = own === undefined ? await this.#read(model, id, idHash) : own.payload
    return payload && { ...payload, jti: id }
  }

  #read(model: string, id: string, idHash: string): Promise<Payload | undefined> {
    switch (model) {
      case 'Session':
        return this.#readSession(oauthSessions.byKey(this.#deps.db, this.#tenantId, idHash))
      case 'Interaction':
        return this.#readInteraction(idHash)
      case 'ReplayDetection':
        return this.#readReplay(idHash)
      default:
        return this.#readToken(model, this.readAhead.token(idHash), id)
    }
  }

  /** Throws rather than uses what belongs to another tenant, whatever a query has returned. */
  #own<Row extends { readonly tenant_id: TenantId }>(row: Row | undefined): Row | undefined {
    if (row !== undefined && row.tenant_id !== this.#tenantId) throw new Error('a stored payload of another tenant')
    return row
  }

  async #readToken(model: string, reading: Promise<TokenRow | undefined>, id?: string): Promise<Payload | undefined> {
    const row = this.#own(await reading)
    if (row === undefined || row.kind !== model) return undefined
    const payload: Payload = inEngineTime({ ...fromJson(row.payload) })
    // The engine itself checks what is bound to its own session.
    const { sessionUid, expiresWithSession } = payload
    const isBoundElsewhere = row.session_id !== null && expiresWithSession !== true
    if (redeemed.includes(model) && row.family_id !== null) {
      const uid = expiresWithSession === true ? text(sessionUid) : null
      this.readAhead.begin(row, { grantHash: hashOfId(row.family_id), sessionUid: uid ?? undefined })
    }
    if (isBoundElsewhere && !(await this.readAhead.isLive(row.session_id ?? ''))) return undefined
    if (typeof sessionUid === 'string' && row.session_id !== null) this.sessionOf.set(sessionUid, row.session_id)
    const family = model === 'Grant' ? id : row.family_id
    if (family !== undefined && family !== null) {
      this.familyOf.set(family, { grantId: row.grant_id, organizationId: row.organization_id })
    }
    if (model === 'Grant' && id !== undefined && typeof payload['beganIn'] === 'string') {
      this.beganInByFamily.set(id, payload['beganIn'] as SessionId)
    }
    if (row.consumed_at !== null) {
      payload['consumed'] = Math.floor(Date.parse(row.consumed_at) / 1000)
      this.#usedBefore = new AlreadyUsed(model, row)
      if (row.sealed_answer !== null) this.answers.set(row.id_hash, { sealed: row.sealed_answer, at: row.consumed_at })
    }
    return payload
  }

  async #readSession(reading: Promise<SessionRow | undefined>): Promise<Payload | undefined> {
    const row = this.#own(await reading)
    if (row === undefined || row.expires_at <= this.#deps.clock.now()) return undefined
    if (row.session_id !== null) {
      // It is valid only as long as the session that it was made from.
      if (!(await this.readAhead.isLive(row.session_id))) return undefined
      this.sessionOf.set(row.uid, row.session_id)
    }
    return inEngineTime({ ...fromJson(row.payload) })
  }

  async #readInteraction(idHash: string): Promise<Payload | undefined> {
    const row = this.#own(await oauthInteractions.byKey(this.#deps.db, this.#tenantId, idHash))
    if (row === undefined || row.expires_at <= this.#deps.clock.now()) return undefined
    return { ...inEngineTime(fromJson(row.payload)), ticketHash: row.ticket_hash }
  }

  async #readReplay(idHash: string): Promise<Payload | undefined> {
    const row = await oauthReplays.byKey(this.#deps.db, this.#tenantId, idHash)
    return row && row.expires_at > this.#deps.clock.now() ? {} : undefined
  }

  async findByUid(uid: string): Promise<Payload | undefined> {
    for (const [key, payload] of this.#written) {
      if (key.startsWith('Session ') && payload?.['uid'] === uid) return { ...payload, jti: uid }
    }
    // What was issued for one session ends with it, even if the browser has signed in again since.
    const issuedFor = this.sessionOf.get(uid)
    const payload = await this.#readSession(this.readAhead.sessionByUid(uid))
    if (issuedFor !== undefined && issuedFor !== this.sessionOf.get(uid)) {
      this.sessionOf.set(uid, issuedFor)
      if (!(await this.readAhead.isLive(issuedFor))) return undefined
    }
    return payload && { ...payload, jti: uid }
  }

  async findByUserCode(userCode: string): Promise<Payload | undefined> {
    const codeHash = hashOfId(userCode)
    const row = oauthTokens.first(this.#deps.db)`tenant_id = ${this.#tenantId} AND user_code_hash = ${codeHash}`
    const payload = await this.#readToken('DeviceCode', row)
    return payload && { ...payload, userCode }
  }

  upsert(model: string, id: string, given: Payload) {
    const idHash = hashOfId(id)
    // The id is the token itself; the user's code and a session's cookie are secrets, too.
    const { jti: _jti, userCode, ...rest } = given
    const payload = model === 'Interaction' ? { ...withoutSecrets(rest), issuer: this.#issuer } : rest
    // A pushed request is used up when the user is asked, because its name is not kept with the question.
    const { parJti } = rest
    if (model === 'Interaction' && typeof parJti === 'string') this.consume('PushedAuthorizationRequest', parJti)
    this.#written.set(`${model} ${idHash}`, payload)
    const at = this.#deps.clock.now()
    const place = { tenant_id: this.#tenantId, id_hash: idHash, created_at: at }
    switch (model) {
      case 'Session':
        return this.#putSession(place, payload)
      case 'Interaction':
        return this.#writes.add(
          upsertInteraction({
            ...place,
            client_id: text((payload['params'] as Payload | undefined)?.['client_id']) ?? '',
            user_id: text((payload['session'] as Payload | undefined)?.['accountId']) as UserId | null,
            payload: toJson(inTenantTime(payload)),
            expires_at: expiryOf(payload['exp']),
          }),
          { row: rowOf(model, idHash) },
        )
      case 'ReplayDetection':
        return this.#putReplay(idHash, expiryOf(payload['exp']))
      default:
        return this.#putToken(model, id, place, payload, text(userCode))
    }
  }

  #putSession(place: Pick<SessionRow, 'tenant_id' | 'id_hash' | 'created_at'>, payload: Payload) {
    const uid = String(payload['uid'])
    const userId = text(payload['accountId']) as UserId | null
    const sessionId = userId === null ? null : (this.sessionIdOf(uid) ?? null)
    this.#writes.add(
      upsertSession({
        ...place,
        uid,
        session_id: sessionId,
        user_id: userId,
        payload: toJson(inTenantTime(payload)),
        expires_at: expiryOf(payload['exp']),
      }),
      { row: rowOf('Session', place.id_hash) },
    )
  }

  #putReplay(idHash: string, expiresAt: Timestamp) {
    const row = { tenant_id: this.#tenantId, id_hash: idHash, expires_at: expiresAt }
    this.#writes.add(sql`${oauthReplays.insert(row)} ON CONFLICT (tenant_id, id_hash) DO NOTHING`, {
      row: rowOf('ReplayDetection', idHash),
      whenUnchanged: () => new AlreadyUsed('proof'),
    })
  }

  #putToken(
    model: string,
    id: string,
    place: Pick<TokenRow, 'tenant_id' | 'id_hash' | 'created_at'>,
    payload: Payload,
    userCode: string | null,
  ) {
    const clientId = text(payload['clientId'])
    const familyId = model === 'Grant' ? null : text(payload['grantId'])
    const family = this.familyOf.get(model === 'Grant' ? id : (familyId ?? ''))
    const sessionUid = text(payload['sessionUid'])
    const isBound = payload['expiresWithSession'] === true && sessionUid !== null
    const beganIn = model === 'Grant' ? this.beganInByFamily.get(id) : undefined
    if (model === 'AuthorizationCode' && sessionUid !== null) this.#follow(place.created_at, payload, sessionUid)
    this.#writes.add(
      upsertToken({
        ...place,
        kind: model,
        client_id: clientId,
        application_id: (clientId === null ? undefined : this.applicationOf.get(clientId)) ?? null,
        user_id: text(payload['accountId']) as UserId | null,
        organization_id: family?.organizationId ?? null,
        grant_id: family?.grantId ?? null,
        family_id: familyId,
        session_id: (isBound ? this.sessionIdOf(sessionUid) : this.exchangedSession) ?? null,
        user_code_hash: userCode === null ? null : hashOfId(userCode),
        payload: toJson(inTenantTime(beganIn === undefined ? payload : { ...payload, beganIn })),
        expires_at: expiryOf(payload['exp']),
      }),
      { row: rowOfToken(place.id_hash) },
    )
  }

  /** The application of a code is told when the session ends. */
  #follow(at: Timestamp, { clientId, sid }: Payload, sessionUid: string) {
    const applicationId = this.applicationOf.get(String(clientId))
    const sessionId = this.sessionIdOf(sessionUid)
    if (applicationId === undefined || sessionId === undefined || typeof sid !== 'string') return
    const follower = {
      tenant_id: this.#tenantId,
      session_id: sessionId,
      application_id: applicationId,
      sid,
      issuer: this.#issuer,
      created_at: at,
    }
    this.#writes.add(addFollower(follower), {
      async check(changed, tx) {
        if (changed > 0 && !(await holdForFollower(tx, follower))) throw new SessionEnded()
      },
    })
  }

  /** Marks a code or token as used. Only one of several requests at the same moment succeeds; the others commit nothing. */
  consume(model: string, id: string) {
    const idHash = hashOfId(id)
    if (model === 'RefreshToken') this.rotated = idHash
    this.#writes.use(model, idHash)
  }

  /** Stores the sealed answer beside the refresh token that this request rotates. */
  keepAnswer(sealed: string) {
    if (this.rotated !== undefined) this.#writes.keepAnswer(this.rotated, sealed)
  }

  destroy(model: string, id: string) {
    const idHash = hashOfId(id)
    this.#written.set(`${model} ${idHash}`, undefined)
    const table = model === 'Session' ? oauthSessions : model === 'Interaction' ? oauthInteractions : oauthTokens
    this.#writes.add(table.delete(this.#tenantId, idHash))
  }

  revokeFamily(familyId: string) {
    if (this.#usedBefore?.row?.family_id === familyId) this.reused = this.#usedBefore
    this.add(sql`DELETE FROM oauth_tokens WHERE tenant_id = ${this.#tenantId} AND family_id = ${familyId}`)
  }

  /** Commits all writes with their events. @throws AlreadyUsed if another request was first; then nothing is written. */
  commit(): Promise<void> {
    return this.#writes.commit()
  }
}

/** Names a row of the table that keeps a model. */
const rowOf = (model: string, idHash: string) =>
  model === 'Session' || model === 'Interaction' || model === 'ReplayDetection'
    ? `${model} ${idHash}`
    : rowOfToken(idHash)

/** Removes the raw cookie of a session and the address with the interaction's own id; they are restored when it is read. */
function withoutSecrets(payload: Payload): Payload {
  const { returnTo: _returnTo, parJti: _parJti, deviceCode: _deviceCode, ...rest } = payload
  const session = payload['session'] as Payload | undefined
  if (session === undefined) return rest
  const { cookie: _cookie, ...shown } = session
  return { ...rest, session: shown }
}
