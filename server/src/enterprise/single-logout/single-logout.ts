// Single logout with the SAML provider of an organization, from both sides. Whoever signs out here is signed out before the browser leaves, so
// that nothing that happens at the provider keeps anybody signed in.
import { tokenPrefixes } from '@bailiwick/contract'
import { endTheseSessions } from '../../identity/sessions/sessions.ts'
import { lockUser } from '../../identity/users/find-user.ts'
import { addMilliseconds, machineMs } from '../../platform/clock.ts'
import { hashToken, newToken } from '../../platform/crypto/tokens.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import type { SessionId, TenantId, UserId } from '../../platform/ids.ts'
import { openConnectionKey } from '../connections/connection-secret.ts'
import { type ConnectionRow, findConnection } from '../connections/find-connection.ts'
import { hasSingleLogout, samlSettings } from '../connections/saml-settings.ts'
import type { Deps } from '../deps.ts'
import { ownEntityId, ownSloUrl } from '../saml/addresses.ts'
import { publicKeyIn } from '../saml/keys/certificates.ts'
import { logoutRequestXml, logoutResponseXml } from '../saml/logout/logout-xml.ts'
import { type LogoutRequest, type SentMessage, readLogout } from '../saml/logout/read-logout.ts'
import { redirectUrl } from '../saml/provider/redirect-binding.ts'
import { SamlRefusal } from '../saml/saml-refusal.ts'
import { useRequest } from '../saml/seen-assertions.ts'
import { samlNameOfSession, sessionsOfSubject } from '../saml/sign-ins.ts'
import { samlLogouts } from '../saml/tables.ts'

/** How long a browser may be at the provider. */
const logoutMs = 10 * 60_000

/** What both of our messages begin with. */
const message = ({ config, clock }: Deps, row: ConnectionRow, destination: string) => ({
  // An XML id begins with a letter or an underscore, and a token of ours with letters.
  id: newToken(tokenPrefixes.providerNonce),
  issuedAt: new Date(machineMs(clock)),
  issuer: ownEntityId(config, row),
  destination,
})

/** Returns the live connection of a session that began at a provider with single logout, and what that provider calls the user. */
async function findLogout(deps: Deps, tenantId: TenantId, sessionId: SessionId) {
  const known = await samlNameOfSession(deps, tenantId, sessionId)
  const row = known === undefined ? undefined : await findConnection(deps.db, tenantId, known.connectionId)
  if (known === undefined || row?.type !== 'saml' || row.state !== 'live') return undefined
  const settings = samlSettings(row)
  const { sloUrl } = settings
  return sloUrl === null || !hasSingleLogout(settings) ? undefined : { row, sloUrl, name: known.name }
}

/**
 * Returns the address at which the browser of a session that has just ended signs out at its provider; undefined if there is none.
 * @param returnUri where the browser continues afterwards, which the caller has checked.
 */
export async function leaveForLogout(
  deps: Deps,
  tenantId: TenantId,
  sessionId: SessionId,
  returnUri: string,
): Promise<string | undefined> {
  const logout = await findLogout(deps, tenantId, sessionId)
  const privateKey = logout && openConnectionKey(deps.sealer, logout.row)
  if (logout === undefined || privateKey === undefined) return undefined
  const { row, sloUrl, name } = logout
  const request = message(deps, row, sloUrl)
  const at = deps.clock.now()
  const pending = { connection_id: row.id, request_hash: hashToken(request.id), return_uri: returnUri }
  await deps.db.write(() => [
    samlLogouts.insert({
      tenant_id: tenantId,
      ...pending,
      created_at: at,
      expires_at: addMilliseconds(at, logoutMs),
    }),
  ])
  const xml = logoutRequestXml(request, name)
  return redirectUrl(sloUrl, { name: 'SAMLRequest', xml, relayState: null, privateKey })
}

/** Returns where the browser continues that has come back: it was decided when it left, and counts once. */
async function returnFromLogout({ db, clock }: Deps, { tenant_id: tenantId, id }: ConnectionRow, requestId: string) {
  const hash = hashToken(requestId)
  const uri = await db.transaction(async (tx) => {
    const row = await samlLogouts.byKey(tx, tenantId, hash)
    if (row === undefined || row.connection_id !== id || row.expires_at <= clock.now()) return undefined
    return (await tx.run(samlLogouts.delete(tenantId, hash))) === 1 ? row.return_uri : undefined
  })
  if (uri === undefined) throw new SamlRefusal('wrong_request', 'The response answers no request that is open.')
  return uri
}

/** Ends the sessions that the connection has opened for the person, by user, whom the transaction holds. */
async function endSessions(deps: Deps, tx: Transaction, row: ConnectionRow, request: LogoutRequest, actor: Actor) {
  const { tenant_id: tenantId, organization_id: organizationId } = row
  const findMeant = () => sessionsOfSubject(tx, row, request.nameId, request.sessionIndexes)
  // Of one user, unless who the subject is was forgotten in between.
  const owners = new Set((await findMeant()).map(({ user_id: owner }): UserId => owner))
  for (const userId of [...owners].toSorted()) {
    if ((await lockUser(tx, tenantId, userId)) === undefined) continue
    const ids = (await findMeant()).filter(({ user_id: owner }) => owner === userId).map(({ id }) => id)
    if (ids.length === 0) continue
    const ended = await endTheseSessions(deps, tx, { tenantId, userId, actor }, ids)
    await tx.run(
      eventStatement(deps.clock, deps.personal, {
        tenantId,
        type: 'connection.user_signed_out',
        actor,
        subjectId: row.id,
        data: { organizationId, userId, sessions: ended, everywhere: false },
      }),
    )
  }
}

/** Ends what the provider's request means, once, and returns the address of our answer. */
async function answerRequest(deps: Deps, row: ConnectionRow, request: LogoutRequest, actor: Actor): Promise<string> {
  const { sloUrl, sloResponseUrl } = samlSettings(row)
  const [address, privateKey] = [sloResponseUrl ?? sloUrl, openConnectionKey(deps.sealer, row)]
  if (address === null || privateKey === undefined) throw new ApiError('provider_unusable')
  await deps.db.transaction(async (tx) => {
    if (!(await useRequest(tx, row, request))) throw new SamlRefusal('repeated', 'The request was sent before.')
    await endSessions(deps, tx, row, request, actor)
  })
  const xml = logoutResponseXml(message(deps, row, address), request.id)
  return redirectUrl(address, { name: 'SAMLResponse', xml, relayState: request.relayState, privateKey })
}

/**
 * Takes what the provider of a connection has a browser bring; returns the address at which the browser continues.
 * @throws SamlRefusal, ApiError provider_unusable
 */
export async function takeLogout(deps: Deps, row: ConnectionRow, sent: SentMessage, actor: Actor): Promise<string> {
  const { entityId, certificates } = samlSettings(row)
  const said = readLogout(sent, {
    idpEntityId: entityId ?? '',
    sloUrl: ownSloUrl(deps.config, row),
    signedWith: certificates.map(publicKeyIn),
    now: machineMs(deps.clock),
  })
  return said.kind === 'request'
    ? answerRequest(deps, row, said, actor)
    : returnFromLogout(deps, row, said.inResponseTo)
}
