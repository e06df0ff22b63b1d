// Short JWTs for servers that check keys offline. Their type is their own, so that nobody takes one for the token of a session.
import type { Deps } from '../../identity/deps.ts'
import { issuerOf, signJwt } from '../../identity/session-tokens/session-jwt.ts'
import { toMs } from '../../platform/clock.ts'
import { newId } from '../../platform/ids.ts'
import type { KnownKey } from './key-memory.ts'

const keyJwtType = 'api-key+jwt'
/** A key that was ended is accepted offline for as long. */
const secondsMax = 300

/** Returns a JWT with what the key may do now, and its lifetime in seconds. */
export async function createKeyJwt(deps: Deps, { row, tenant, scopes, endsAt }: KnownKey) {
  const signer = await deps.signers.of(tenant)
  const iat = Math.floor(deps.clock.nowMs() / 1000)
  const ends = [row.expires_at, endsAt].filter((end) => end !== null)
  const exp = Math.min(iat + secondsMax, ...ends.map((end) => Math.floor(toMs(end) / 1000)))
  const jwt = signJwt(signer, keyJwtType, {
    iss: issuerOf(deps, tenant),
    sub: row.user_id ?? row.organization_id,
    aud: tenant.row.public_key,
    iat,
    nbf: iat,
    exp,
    jti: newId(),
    scope: scopes.join(' '),
    claims: { keyId: row.id, keyName: row.name, userId: row.user_id, orgId: row.organization_id },
  })
  return { jwt, seconds: exp - iat }
}
