// Setting up a second factor within an attempt to sign in, where the tenant requires one and the user has none. Somebody who has stolen the
// password must not set up a factor of their own, so the user first proves to read a verified address, unless the first factor did.
import { enrolAuthenticatorCode, setUpAuthenticatorCode } from '../../../identity/authenticators/authenticator-codes.ts'
import type { FactorSetup } from '../../../identity/authenticators/factor-changes.ts'
import { acceptPasskey, creationOptions, enrolPasskey } from '../../../identity/authenticators/passkeys.ts'
import { loadTotp } from '../../../identity/authenticators/totp.ts'
import {
  type VerifiedContact,
  findContactFor,
  findVerifiedContact,
} from '../../../identity/authenticators/verified-contact.ts'
import type { Deps } from '../../../identity/deps.ts'
import { codeMinutes, issueCode, redeemCode } from '../../../identity/one-time-codes/one-time-codes.ts'
import { queueMessage } from '../../../messaging/notifications/messages/queue-message.ts'
import { ApiError, invalid } from '../../../platform/http/api-error.ts'
import { strategyFactsOf } from '../../../tenancy/auth-configuration/auth-configuration.ts'
import type { SignInFlow, Strategy } from '../../frontend/flow.ts'

function setupOf({ call, tenantId, attempt }: SignInFlow): FactorSetup {
  const { user_id: userId, id: place } = attempt
  if (userId === null) throw new ApiError('attempt_not_open')
  const { tenant, request } = call
  return { tenant, tenantId, userId, request, actor: call.actor(userId), place }
}

export const enrolAppStrategy = (deps: Deps): Strategy => ({
  name: 'authenticator_code',
  prepare: async (flow) => ({ authenticator: await setUpAuthenticatorCode(deps, setupOf(flow)) }),
  async attempt(flow, { code }) {
    if (code === undefined) throw invalid('/code', 'required', 'is required for this strategy')
    const setup = setupOf(flow)
    if (!setup.tenant.auth.strategyAuthenticatorCodeEnabled) throw new ApiError('strategy_unavailable')
    const totp = await loadTotp()
    let recoveryCodes: readonly string[] | undefined
    return {
      userId: setup.userId,
      async confirm(tx) {
        recoveryCodes = await enrolAuthenticatorCode(deps, tx, totp, setup, code)
        return recoveryCodes !== undefined
      },
      newRecoveryCodes: () => recoveryCodes,
    }
  },
})

export const enrolKeyStrategy = (deps: Deps): Strategy => ({
  name: 'security_key',
  prepare: async (flow) => ({ publicKeyOptions: await creationOptions(deps, setupOf(flow)) }),
  async attempt(flow, { credential }) {
    if (credential === undefined) throw invalid('/credential', 'required', 'is required for this strategy')
    const setup = setupOf(flow)
    const accepted = await acceptPasskey(deps, setup, credential)
    if (accepted === undefined) return undefined
    let recoveryCodes: readonly string[] | undefined
    return {
      userId: setup.userId,
      async confirm(tx) {
        ;({ recoveryCodes } = await enrolPasskey(deps, tx, setup, accepted, null))
        return true
      },
      newRecoveryCodes: () => recoveryCodes,
    }
  },
})

/** What a code to a verified address is for: to set up a factor, or as the second factor itself. */
type Purpose = 'enrolment' | 'second_factor'

const placeOf = ({ tenantId, attempt }: SignInFlow, { key }: VerifiedContact, purpose: Purpose) =>
  ({ tenantId, purpose, flowId: attempt.id, addressKey: key }) as const

/** A code to an address that the user has verified before. */
export const mailboxStrategy = (
  deps: Deps,
  name: 'email_code' | 'phone_code',
  purpose: Purpose = 'enrolment',
): Strategy => {
  const contactOf = async ({ tenant, tenantId, userId }: FactorSetup) => {
    const facts = strategyFactsOf(deps, tenant)
    const contact =
      purpose === 'enrolment'
        ? await findVerifiedContact(deps.db, tenantId, userId, facts)
        : await findContactFor(deps.db, tenantId, userId, facts, name)
    // It was removed since the first factor was proven.
    if (contact?.strategy !== name) throw new ApiError('attempt_not_open')
    return contact
  }
  return {
    name,
    async prepare(flow) {
      const { tenantId, call, claimant } = flow
      const setup = setupOf(flow)
      const contact = await contactOf(setup)
      await deps.db.transaction(async (tx) => {
        const { userId } = setup
        const code = await issueCode(deps, tx, { ...placeOf(flow, contact, purpose), userId, kind: 'code', claimant })
        await queueMessage(tx, deps, {
          tenantId,
          channelType: name === 'phone_code' ? 'sms' : 'email',
          template: { type: 'verification-code' },
          to: contact.value,
          userId,
          language: call.language,
          variables: { code, expiresInMinutes: codeMinutes },
          purpose: 'sign_in',
        })
      })
      return {}
    },
    async attempt(flow, { code }) {
      if (code === undefined) throw invalid('/code', 'required', 'is required for this strategy')
      const setup = setupOf(flow)
      const contact = await contactOf(setup)
      return {
        userId: setup.userId,
        confirm: (tx) => redeemCode(deps, tx, placeOf(flow, contact, purpose), code),
        ...(purpose === 'enrolment' ? { provesMailbox: true } : {}),
      }
    },
  }
}
