// Opening a set-up link: the token leads to a code by mail, and the code binds the browser to the link until the link ends.
import { emailKey } from '@bailiwick/contract'
import { codeMinutes, issueCode, redeemCode } from '../../identity/one-time-codes/one-time-codes.ts'
import { queueMessage } from '../../messaging/notifications/messages/queue-message.ts'
import { hashToken } from '../../platform/crypto/tokens.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import type { TenantId } from '../../platform/ids.ts'
import type { Deps } from '../deps.ts'
import * as queries from './queries.ts'
import { linkData, linkEvent } from './setup-links.ts'

export type OpenLink = queries.SetupLinkRow

/** Returns the link of a token; undefined if there is none, or it has ended. */
export const findSetupLink = ({ db, clock }: Deps, tenantId: TenantId, token: string): Promise<OpenLink | undefined> =>
  queries.selectLinkByToken(db, tenantId, hashToken(token), clock.now())

/** Returns the link that a browser has opened; undefined if there is none, it has ended, or another browser has opened it since. */
export const findOpenSetup = ({ db, clock }: Deps, tenantId: TenantId, browserHash: string) =>
  queries.selectLinkByBrowser(db, tenantId, browserHash, clock.now())

const placeOf = ({ tenant_id: tenantId, id, email }: OpenLink) =>
  ({ tenantId, purpose: 'setup', flowId: id, addressKey: emailKey(email) }) as const

/** @throws ApiError too_many_attempts */
export async function sendSetupCode(deps: Deps, link: OpenLink, language: string | undefined): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const code = await issueCode(deps, tx, { ...placeOf(link), userId: null, kind: 'code' })
    await queueMessage(tx, deps, {
      tenantId: link.tenant_id,
      channelType: 'email',
      template: { type: 'verification-code' },
      to: link.email,
      userId: null,
      language,
      variables: { code, expiresInMinutes: codeMinutes },
      purpose: 'sign_in',
    })
  })
}

/**
 * Binds the browser to the link if the code is right; returns whether it is.
 * @throws ApiError too_many_attempts
 */
export const enterSetup = (deps: Deps, link: OpenLink, code: string, browserHash: string, actor: Actor) =>
  deps.db.transaction(async (tx) => {
    const { tenant_id: tenantId, id } = link
    const row = await queries.lockLink(tx, tenantId, id)
    if (row === undefined || !(await redeemCode(deps, tx, placeOf(row), code))) return false
    await tx.run(
      queries.updateOpened({ tenant_id: tenantId, id, browser_hash: browserHash, opened_at: deps.clock.now() }),
    )
    await tx.run(linkEvent(deps, 'setup_link.opened', row, actor, linkData(row)))
    return true
  })

/**
 * Records that a connection was switched on with the link.
 * @throws ApiError not_found if the link was revoked meanwhile.
 */
export const recordFinished = (deps: Deps, link: OpenLink, connectionId: string, actor: Actor) =>
  deps.db.transaction(async (tx) => {
    const { tenant_id: tenantId, id } = link
    const row = await queries.lockLink(tx, tenantId, id)
    if (row === undefined) throw new ApiError('not_found')
    await tx.run(queries.updateFinished({ tenant_id: tenantId, id, finished_at: deps.clock.now() }))
    const data = { organizationId: row.organization_id, connectionId }
    await tx.run(linkEvent(deps, 'setup_link.finished', row, actor, data))
  })
