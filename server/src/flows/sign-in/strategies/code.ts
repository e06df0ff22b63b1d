// A code or a link that is sent to the address or number that the attempt is for.
import type { Deps } from '../../../identity/deps.ts'
import { codeMinutes, issueCode, linkTo, redeemCode } from '../../../identity/one-time-codes/one-time-codes.ts'
import { queueMessage } from '../../../messaging/notifications/messages/queue-message.ts'
import { invalid } from '../../../platform/http/api-error.ts'
import { hostedRoot, isHostedPage } from '../../../tenancy/tenants/hosted-pages.ts'
import { destinationOf } from '../../frontend/destinations.ts'
import type { SignInFlow, Strategy } from '../../frontend/flow.ts'

type CodeStrategyName = 'email_code' | 'email_link' | 'phone_code'

const placeOf = ({ tenantId, attempt, identifier }: SignInFlow) => ({
  tenantId,
  purpose: 'sign_in' as const,
  flowId: attempt.id,
  addressKey: identifier?.key ?? '',
})

export const codeStrategy = (deps: Deps, name: CodeStrategyName): Strategy => ({
  name,
  async prepare(flow, { redirectUri }) {
    const { tenantId, attempt, identified, call, claimant } = flow
    const page = name === 'email_link' ? linkPage(deps, flow, redirectUri) : undefined
    await deps.db.transaction(async (tx) => {
      const userId = identified?.userId ?? null
      const kind = name === 'email_link' ? 'link' : 'code'
      const secret = await issueCode(deps, tx, { ...placeOf(flow), userId, kind, claimant })
      await queueMessage(tx, deps, {
        tenantId,
        channelType: name === 'phone_code' ? 'sms' : 'email',
        template: { type: name === 'email_link' ? 'magic-link' : 'verification-code' },
        to: identified?.contact?.value ?? null,
        userId,
        language: call.language,
        variables: {
          ...(page === undefined
            ? { code: secret }
            : { link: linkTo(page, attempt.id, secret, isHostedPage(deps.config, call.tenant, call.ownHost, page)) }),
          expiresInMinutes: codeMinutes,
        },
        purpose: 'sign_in',
      })
    })
    return {}
  },
  // The guess does not count against the account: the code has tries of its own, so that wrong guesses of others do not block it.
  async attempt(flow, { code }) {
    if (code === undefined) throw invalid('/code', 'required', 'is required for this strategy')
    const { identified } = flow
    const contact = identified?.contact
    return {
      userId: identified?.userId,
      confirm: async (tx) => (await redeemCode(deps, tx, placeOf(flow), code)) && identified !== undefined,
      ...(contact === undefined
        ? {}
        : { provenContact: { table: name === 'phone_code' ? 'phone_numbers' : 'email_addresses', id: contact.id } }),
    }
  },
})

/** The page that a link in a mail leads to: one that the caller names, else the tenant's own sign-in page, else the hosted one. */
function linkPage(deps: Deps, { attempt, call }: SignInFlow, redirectUri: string | undefined): string {
  const page = destinationOf(deps, call, redirectUri ?? attempt.redirect_uri, 'signInUri', 'homeUri')
  return page ?? `${hostedRoot(deps.config, call.tenant, call.ownHost)}/sign-in/link`
}
