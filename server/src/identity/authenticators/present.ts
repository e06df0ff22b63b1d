// The one place where an authenticator becomes JSON. Its secrets are never shown.
import type { Passkey, UserAuthenticator } from '@bailiwick/contract'
import type { Reader } from '../../platform/db/database.ts'
import type { TenantId, UserId } from '../../platform/ids.ts'
import { selectTrustedDevices } from '../trusted-devices/trusted-devices.ts'
import { selectAuthenticatorCode } from './authenticator-codes.ts'
import { type PasskeyRow, selectPasskeys } from './passkey-queries.ts'
import { selectRecoveryCodes } from './recovery-codes.ts'

type Names = Readonly<Record<string, string>>
let names: Promise<Names> | undefined

/** Names of kinds of authenticators, from github.com/passkeydeveloper/passkey-authenticator-aaguids; read when a passkey is first shown. */
const providerNames = () =>
  (names ??= import('./provider-names.json', { with: { type: 'json' } }).then((loaded) => loaded.default))

/** Returns the name of the password manager or device that keeps a passkey; null if it is unknown. */
function providerIn(known: Names, { aaguid }: PasskeyRow): string | null {
  return aaguid !== null && Object.hasOwn(known, aaguid) ? (known[aaguid] ?? null) : null
}

const factsIn = (known: Names, row: PasskeyRow) => ({
  provider: providerIn(known, row),
  backupEligible: row.is_backup_eligible === 1,
  backedUp: row.is_backed_up === 1,
  secondFactor: row.is_second_factor === 1,
})

export async function presentPasskey(row: PasskeyRow): Promise<Passkey> {
  return present(await providerNames(), row)
}

export async function presentPasskeys(rows: readonly PasskeyRow[]): Promise<Passkey[]> {
  const known = await providerNames()
  return rows.map((row) => present(known, row))
}

const present = (known: Names, row: PasskeyRow): Passkey => ({
  id: row.id,
  name: row.name,
  relyingPartyId: row.relying_party_id,
  ...factsIn(known, row),
  lastUsedAt: row.last_used_at,
  flaggedAt: row.flagged_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

/** What an export of all data about a person says about the person's authenticators. */
export async function authenticatorsOf(db: Reader, tenantId: TenantId, userId: UserId): Promise<UserAuthenticator[]> {
  const [known, code, passkeys, recoveryCodes, devices] = await Promise.all([
    providerNames(),
    selectAuthenticatorCode(db, tenantId, userId),
    selectPasskeys(db, tenantId, userId),
    selectRecoveryCodes(db, tenantId, userId),
    selectTrustedDevices(db, { tenantId, userId }),
  ])
  const [first] = recoveryCodes
  return [
    ...(code === undefined
      ? []
      : [
          {
            id: code.id,
            kind: 'authenticator_code' as const,
            name: null,
            lastUsedAt: code.last_used_at,
            createdAt: code.created_at,
          },
        ]),
    ...passkeys.map((row) => ({
      id: row.id,
      kind: 'security_key' as const,
      name: row.name,
      ...factsIn(known, row),
      lastUsedAt: row.last_used_at,
      createdAt: row.created_at,
    })),
    ...(first === undefined
      ? []
      : [
          {
            id: userId,
            kind: 'recovery_codes' as const,
            name: null,
            left: recoveryCodes.length,
            lastUsedAt: first.last_used_at,
            createdAt: first.created_at,
          },
        ]),
    ...devices.map(({ id, browser, os, created_at: createdAt }) => ({
      id,
      kind: 'trusted_device' as const,
      name: [browser, os].filter((each) => each !== null).join(', ') || null,
      lastUsedAt: null,
      createdAt,
    })),
  ]
}
