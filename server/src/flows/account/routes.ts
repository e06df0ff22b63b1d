import { frontendEndpoints } from '@bailiwick/contract'
import { type FrontendRouter, frontendRoute } from '../frontend/frontend-route.ts'
import { pageOfWhole } from '../../platform/http/list-answer.ts'
import { Serialized } from '../../platform/http/serialized.ts'
import { profileOf } from '../../identity/users/profile.ts'
import { getUser } from '../../identity/users/users.ts'
import { emailKind, phoneKind } from '../../identity/users/contact-kinds.ts'
import { deleteOwnUser } from './delete-own-user.ts'
import * as ownContacts from './own-contacts.ts'
import { updateOwnPassword } from './own-password.ts'
import { deleteOwnPicture, setOwnPicture } from './own-picture.ts'
import { updateOwnProfile } from './own-profile.ts'
import * as ownSessions from './own-sessions.ts'
import { prepareOwnContact, verifyOwnContact } from './verify-own-contact.ts'

const asEmail = ({ value, ...rest }: ownContacts.OwnContact) => ({ email: value, ...rest })
const asPhone = ({ value, ...rest }: ownContacts.OwnContact) => ({ phone: value, ...rest })

export function ownAccountRoutes(router: FrontendRouter) {
  const { deps } = router

  // Asked with nearly every page: made once for as long as neither the user nor the tenant changes.
  frontendRoute(router, frontendEndpoints.getProfile, (call) => {
    const { signedIn, tenantId, tenant } = call
    const { made, row } = signedIn
    if (made.profile?.tenant === tenant) return made.profile.answer
    const make = async () => {
      const user = await profileOf(deps.db, await getUser(deps, tenantId, row.user_id))
      const answer = new Serialized(call.serialize(frontendEndpoints.getProfile, { user }))
      made.profile = { tenant, answer }
      return answer
    }
    return make()
  })
  frontendRoute(router, frontendEndpoints.updateProfile, async (call) => ({
    user: await profileOf(deps.db, await updateOwnProfile(deps, call, call.body)),
  }))

  frontendRoute(router, frontendEndpoints.setOwnPicture, async (call) => ({
    user: await profileOf(deps.db, await setOwnPicture(deps, call, call.body.image)),
  }))
  frontendRoute(router, frontendEndpoints.deleteOwnPicture, async (call) => ({
    user: await profileOf(deps.db, await deleteOwnPicture(deps, call)),
  }))

  frontendRoute(router, frontendEndpoints.listOwnSessions, async (call) =>
    pageOfWhole(
      'sessions',
      { items: await ownSessions.listOwnSessions(deps, call), order: 'newest first' },
      call.query,
    ),
  )
  frontendRoute(router, frontendEndpoints.deleteOwnSession, async (call) => ({
    session: await ownSessions.endOwnSession(deps, call, call.params.id),
  }))
  frontendRoute(router, frontendEndpoints.endOwnSessions, async (call) => ({
    ended: await ownSessions.endOwnSessionHere(deps, call),
  }))
  frontendRoute(router, frontendEndpoints.createOwnToken, (call) => ownSessions.createOwnToken(deps, call, call.body))

  frontendRoute(router, frontendEndpoints.updateOwnPassword, async (call) => {
    const given = await updateOwnPassword(deps, call, call.body)
    return { user: await profileOf(deps.db, await getUser(deps, call.tenantId, call.signedIn.row.user_id)), ...given }
  })
  frontendRoute(router, frontendEndpoints.deleteOwnUser, async (call) => ({
    deleted: await deleteOwnUser(deps, call),
  }))
  emailRoutes(router)
  phoneRoutes(router)
}

function emailRoutes(router: FrontendRouter) {
  const { deps } = router
  frontendRoute(router, frontendEndpoints.listOwnEmails, async (call) => {
    const items = (await ownContacts.listOwnContacts(deps, call, emailKind)).map(asEmail)
    return pageOfWhole('emails', { items, order: 'oldest first' }, call.query)
  })
  frontendRoute(router, frontendEndpoints.createOwnEmail, async (call) => ({
    email: asEmail(await ownContacts.createOwnContact(deps, call, emailKind, call.body.email)),
  }))
  frontendRoute(router, frontendEndpoints.deleteOwnEmail, async (call) => ({
    email: asEmail(await ownContacts.deleteOwnContact(deps, call, emailKind, call.params.id)),
  }))
  frontendRoute(router, frontendEndpoints.prepareOwnEmail, async (call) => ({
    email: asEmail(await prepareOwnContact(deps, call, emailKind, call.params.id)),
  }))
  frontendRoute(router, frontendEndpoints.verifyOwnEmail, async (call) => ({
    email: asEmail(await verifyOwnContact(deps, call, emailKind, call.params.id, call.body.code)),
  }))
  frontendRoute(router, frontendEndpoints.makeOwnEmailPrimary, async (call) => ({
    email: asEmail(await ownContacts.makeOwnContactPrimary(deps, call, emailKind, call.params.id)),
  }))
}

function phoneRoutes(router: FrontendRouter) {
  const { deps } = router
  frontendRoute(router, frontendEndpoints.listOwnPhones, async (call) => {
    const items = (await ownContacts.listOwnContacts(deps, call, phoneKind)).map(asPhone)
    return pageOfWhole('phones', { items, order: 'oldest first' }, call.query)
  })
  frontendRoute(router, frontendEndpoints.createOwnPhone, async (call) => ({
    phone: asPhone(await ownContacts.createOwnContact(deps, call, phoneKind, call.body.phone)),
  }))
  frontendRoute(router, frontendEndpoints.deleteOwnPhone, async (call) => ({
    phone: asPhone(await ownContacts.deleteOwnContact(deps, call, phoneKind, call.params.id)),
  }))
  frontendRoute(router, frontendEndpoints.prepareOwnPhone, async (call) => ({
    phone: asPhone(await prepareOwnContact(deps, call, phoneKind, call.params.id)),
  }))
  frontendRoute(router, frontendEndpoints.verifyOwnPhone, async (call) => ({
    phone: asPhone(await verifyOwnContact(deps, call, phoneKind, call.params.id, call.body.code)),
  }))
  frontendRoute(router, frontendEndpoints.makeOwnPhonePrimary, async (call) => ({
    phone: asPhone(await ownContacts.makeOwnContactPrimary(deps, call, phoneKind, call.params.id)),
  }))
}
