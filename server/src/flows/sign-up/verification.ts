// The code or link that proves that the new user reads the address that was entered.
import { type VerificationStrategy, emailKey } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import { subjectOf, takeTry } from '../../identity/lockout/lockout.ts'
import { linkTo, issueCode, redeemCode, codeMinutes } from '../../identity/one-time-codes/one-time-codes.ts'
import { findIdentified } from '../../identity/users/identifier.ts'
import { decidedTransaction } from '../../messaging/hooks/decisions.ts'
import { queueMessage } from '../../messaging/notifications/messages/queue-message.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { strategyFactsOf } from '../../tenancy/auth-configuration/auth-configuration.ts'
import { hostedRoot, isHostedPage } from '../../tenancy/tenants/hosted-pages.ts'
import { isAnonymousSession } from '../frontend/anonymous-access.ts'
import { destinationOf } from '../frontend/destinations.ts'
import type { AnyCall } from '../frontend/flow.ts'
import { type SignUpRow, lockUnchanged } from './attempt-store.ts'
import { type GivenFields, contactOf, isVerificationEnabled } from './requirements.ts'

/** @throws ApiError strategy_unavailable if the tenant has it off, has no channel, or nothing was entered to verify. */
function addressOf(deps: Deps, { tenant }: AnyCall, given: GivenFields, strategy: VerificationStrategy) {
  const contact = contactOf(strategy)
  const value = given[contact]
  const facts = strategyFactsOf(deps, tenant)
  const hasChannel = contact === 'email' ? facts.hasEmailChannel : facts.hasSmsChannel
  if (value === undefined) {
    const what = contact === 'email' ? 'e-mail address' : 'phone number'
    throw new ApiError('strategy_unavailable', { detail: `This attempt has no ${what} yet. Send it first.` })
  }
  if (!hasChannel || !isVerificationEnabled(tenant.auth, strategy)) {
    throw new ApiError('strategy_unavailable')
  }
  return { contact, value, key: contact === 'email' ? emailKey(value) : value }
}

const purposes = { email: 'sign_up_email', phone: 'sign_up_phone' } as const

/** The page that a link in a mail leads to: one that the caller names, else the tenant's own sign-up page, else the hosted one. */
const linkPage = (deps: Deps, call: AnyCall, wanted: string | null): string =>
  destinationOf(deps, call, wanted, 'signUpUri', 'homeUri') ??
  `${hostedRoot(deps.config, call.tenant, call.ownHost)}/sign-up/link`

interface Wanted {
  readonly strategy: VerificationStrategy
  readonly redirectUri: string | null
}

/** @throws ApiError strategy_unavailable, too_many_attempts; validation_failed if a link has no page to lead to. */
export async function sendVerification(
  deps: Deps,
  call: AnyCall,
  row: SignUpRow,
  given: GivenFields,
  { strategy, redirectUri }: Wanted,
): Promise<VerificationStrategy> {
  const { tenantId } = call
  const { contact, value, key } = addressOf(deps, call, given, strategy)
  const page = strategy === 'email_link' ? linkPage(deps, call, redirectUri ?? row.redirect_uri) : undefined
  const found = await findIdentified(deps.db, tenantId, { kind: contact, key })
  // An anonymous user who signs up proves its own address anew.
  const isOwn = isAnonymousSession(call.session) && found?.userId === call.session.row.user_id
  const owner = isOwn ? undefined : found
  await deps.db.transaction(async (tx) => {
    const kind = page === undefined ? 'code' : 'link'
    const place = { tenantId, purpose: purposes[contact], flowId: row.id, addressKey: key }
    const secret = await issueCode(deps, tx, { ...place, userId: null, kind })
    const proof =
      page !== undefined
        ? { link: linkTo(page, row.id, secret, isHostedPage(deps.config, call.tenant, call.ownHost, page)) }
        : { code: secret }
    await queueMessage(tx, deps, {
      tenantId,
      channelType: contact === 'email' ? 'email' : 'sms',
      // A person who has an account gets no code, because it would only make a second account.
      template: { type: owner !== undefined ? 'account-exists' : kind === 'link' ? 'magic-link' : 'verification-code' },
      to: owner?.contact?.value ?? value,
      userId: owner?.userId ?? null,
      language: call.language,
      variables: owner === undefined ? { ...proof, expiresInMinutes: codeMinutes } : {},
      purpose: 'sign_up',
    })
  })
  return strategy
}

/**
 * Uses a code up and does what it allows, in one transaction.
 * @throws ApiError factor_refused, attempt_not_open, attempt_at_another_step, too_many_attempts
 */
export async function proveVerification<Result>(
  deps: Deps,
  call: AnyCall,
  row: SignUpRow,
  given: GivenFields,
  { strategy, code }: { readonly strategy: VerificationStrategy; readonly code: string },
  allow: (tx: Transaction, held: SignUpRow) => Promise<Result>,
): Promise<Result> {
  const { tenantId } = call
  const { contact, key } = addressOf(deps, call, given, strategy)
  await takeTry(deps, { tenantId, subject: subjectOf(undefined, row.id), device: undefined })
  const result = await decidedTransaction(deps, tenantId, async (tx) => {
    const held = await lockUnchanged(deps, tx, row)
    const place = { tenantId, purpose: purposes[contact], flowId: row.id, addressKey: key }
    return (await redeemCode(deps, tx, place, code)) ? { allowed: await allow(tx, held) } : undefined
  })
  if (result === undefined) throw new ApiError('factor_refused')
  return result.allowed
}
