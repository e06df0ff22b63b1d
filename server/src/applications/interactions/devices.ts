// Devices without a browser (RFC 8628): the user enters the code that the device shows, is asked, and the device gets the answer when it next
// asks for its tokens. What a device gets does not end with the session that allowed it.
import { randomBytes } from 'node:crypto'
import type { Deps } from '../../identity/deps.ts'
import type { LiveSession } from '../../identity/sessions/live-session.ts'
import { toMs, fromMs } from '../../platform/clock.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import { notFound } from '../../platform/http/api-error.ts'
import { newId } from '../../platform/ids.ts'
import { fromJson, toJson } from '../../platform/json-text.ts'
import { type Payload, hashOfId } from '../engine/requests/request-store.ts'
import { oauthTokens, oauthInteractions } from '../engine/tables.ts'
import type { GrantRow } from '../grants/grant-records.ts'
import { type FoundInteraction, type InteractionPayload, assertOwnSession } from './interactions.ts'

const grantSeconds = 365 * 24 * 60 * 60

/** Normalises a code in the same way as the engine. */
const normalised = (code: string) => code.toUpperCase().replaceAll(/\W/g, '')

/** @throws ApiError not_found for a code that is unknown, has expired or was answered. */
export async function findDevice(deps: Deps, session: LiveSession, userCode: string) {
  const { db, clock } = deps
  const { tenant, row: own } = session
  assertOwnSession(session)
  const codeHash = hashOfId(normalised(userCode))
  const row = await oauthTokens.first(db)`tenant_id = ${tenant.row.id} AND user_code_hash = ${codeHash}`
  if (row === undefined || row.kind !== 'DeviceCode' || row.expires_at <= clock.now()) throw notFound()
  const payload = fromJson(row.payload) as Payload
  if (payload['accountId'] !== undefined || payload['error'] !== undefined) throw notFound()
  const uid = randomBytes(32).toString('base64url')
  const now = clock.now()
  const kept: InteractionPayload = {
    params: payload['params'] as Payload,
    prompt: { name: 'consent' },
    session: { accountId: own.user_id },
    device: row.id_hash,
  }
  const interaction = {
    tenant_id: tenant.row.id,
    id_hash: hashOfId(uid),
    client_id: row.client_id ?? '',
    user_id: own.user_id,
    ticket_hash: null,
    // The engine reads the payload as any JSON.
    payload: toJson<Readonly<Record<string, unknown>>>(kept as unknown as Payload),
    expires_at: row.expires_at,
    created_at: now,
  }
  await db.write(() => [oauthInteractions.insert(interaction)])
  return { uid, found: { row: interaction, payload: kept } }
}

/** Answers only once. @throws ApiError not_found for every later answer */
async function answer(
  deps: Deps,
  tx: Transaction,
  { row, payload }: FoundInteraction,
  change: (device: Payload) => object,
) {
  const device = await oauthTokens.lock(tx, row.tenant_id, payload.device ?? '')
  if (device === undefined || device.expires_at <= deps.clock.now()) throw notFound()
  const before = fromJson(device.payload) as Payload
  if (before['accountId'] !== undefined || before['error'] !== undefined) throw notFound()
  await tx.run(oauthInteractions.delete(row.tenant_id, row.id_hash))
  return { device, after: { ...before, ...change(before) } }
}

export async function approveDevice(
  deps: Deps,
  tx: Transaction,
  { row: own, tenant }: LiveSession,
  found: FoundInteraction,
  grant: GrantRow,
  given: readonly string[],
) {
  const familyId = newId()
  const now = deps.clock.now()
  const { scope: wanted } = found.payload.params
  const asked = typeof wanted === 'string' ? wanted.split(' ') : []
  const scopes = asked.filter((scope) => scope === 'openid' || given.includes(scope))
  const { resource } = found.payload.params
  const { device, after } = await answer(deps, tx, found, () => ({
    accountId: own.user_id,
    authTime: Math.floor(toMs(own.created_at) / 1000),
    grantId: familyId,
    scope: scopes.join(' '),
    ...(resource === undefined ? {} : { resource }),
  }))
  const iat = Math.floor(toMs(now) / 1000)
  const granted = new Set(scopes)
  const inScope = (each: readonly string[]) => each.filter((scope) => granted.has(scope)).join(' ')
  const resources = Object.entries(fromJson(grant.resource_scopes)).map(([at, each]) => [at, inScope(each)] as const)
  const payload = {
    iat,
    exp: iat + grantSeconds,
    kind: 'Grant',
    accountId: own.user_id,
    clientId: device.client_id,
    openid: { scope: inScope(fromJson(grant.scopes)) },
    resources: Object.fromEntries(resources.filter(([, each]) => each !== '')),
  }
  const family = {
    client_id: device.client_id,
    application_id: grant.application_id,
    user_id: own.user_id,
    organization_id: grant.organization_id,
    grant_id: grant.id,
  }
  await tx.run(
    oauthTokens.insert({
      ...family,
      tenant_id: tenant.row.id,
      id_hash: hashOfId(familyId),
      kind: 'Grant',
      payload: toJson<Readonly<Record<string, unknown>>>(payload),
      expires_at: fromMs(toMs(now) + grantSeconds * 1000),
      created_at: now,
    }),
  )
  await tx.run(oauthTokens.rewrite({ ...device, ...family, family_id: familyId, payload: toJson(after) }))
}

export async function refuseDevice(deps: Deps, tx: Transaction, found: FoundInteraction) {
  const refusal = { error: 'access_denied', errorDescription: 'the user has refused' }
  const { device, after } = await answer(deps, tx, found, () => refusal)
  await tx.run(
    sql`UPDATE oauth_tokens SET payload = ${JSON.stringify(after)}
      WHERE tenant_id = ${device.tenant_id} AND id_hash = ${device.id_hash}`,
  )
}
