import { frontendEndpoints } from '@bailiwick/contract'
import type { Frontend } from '../../flows/frontend/frontend-steps.ts'
import { pageOfWhole } from '../../platform/http/lists/list-answer.ts'
import { deleteOwnAuthorization, listOwnAuthorizations } from '../grants/own-authorizations.ts'
import { abortInteraction, consentInteraction } from './consent.ts'
import { findDevice } from './devices.ts'
import { findInteraction, loginInteraction, presentInteraction } from './interactions.ts'

export function interactionRoutes({ deps, handle }: Frontend) {
  handle(frontendEndpoints.getOAuthInteraction, async ({ tenant, session, params: { uid } }) => {
    const found = await findInteraction(deps, tenant, uid)
    return { interaction: await presentInteraction(deps, tenant, uid, found, session) }
  })
  handle(frontendEndpoints.loginOAuthInteraction, ({ signedIn, params }) =>
    loginInteraction(deps, signedIn, params.uid),
  )
  handle(frontendEndpoints.consentOAuthInteraction, (call) =>
    consentInteraction(deps, call.signedIn, call.params.uid, call.body, call.actor()),
  )
  handle(frontendEndpoints.abortOAuthInteraction, ({ tenant, session, params }) =>
    abortInteraction(deps, tenant, session, params.uid),
  )
  handle(frontendEndpoints.findOAuthDevice, async ({ signedIn, tenant, body }) => {
    const { uid, found } = await findDevice(deps, signedIn, body.userCode)
    return { interaction: await presentInteraction(deps, tenant, uid, found, signedIn) }
  })
  handle(frontendEndpoints.listOwnAuthorizations, async ({ signedIn, query }) => {
    const items = await listOwnAuthorizations(deps, signedIn)
    return pageOfWhole('authorizations', { items, order: 'newest first' }, query)
  })
  handle(frontendEndpoints.deleteOwnAuthorization, (call) =>
    deleteOwnAuthorization(deps, call.signedIn, call.params.id, call.actor()),
  )
}
