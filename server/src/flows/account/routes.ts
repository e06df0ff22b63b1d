import { frontendEndpoints } from '@bailiwick/contract'
import { getKnownUser, presentProfile, profileOf } from '../../identity/people/profile.ts'
import { emailKind, phoneKind } from '../../identity/users/contact-kinds.ts'
import { getUser } from '../../identity/users/users.ts'
import { Serialized } from '../../platform/http/answer.ts'
import { pageOfWhole } from '../../platform/http/lists/list-answer.ts'
import type { FlowContext } from '../feature.ts'
import type { Frontend } from '../frontend/frontend-steps.ts'
import { browserAccountRoutes } from './browser-account-routes.ts'
import { deleteOwnUser } from './delete-own-user.ts'
import * as ownContacts from './own-contacts.ts'
import { exportOwnData } from './own-data.ts'
import { deleteOwnPassword, updateOwnPassword } from './own-password.ts'
import { deleteOwnPicture, setOwnPicture } from './own-picture.ts'
import { updateOwnProfile } from './own-profile.ts'
import * as ownSessions from './own-sessions.ts'
import { reportSecurityNotice } from './security-notices.ts'
import { prepareOwnContact, verifyOwnContact } from './verify-own-contact.ts'

const asEmail = ({ value, ...rest }: ownContacts.OwnContact) => ({ email: value, ...rest })
const asPhone = ({ value, ...rest }: ownContacts.OwnContact) => ({ phone: value, ...rest })

/** The record under two names, because clients differ on which one they read. */
async function emailAnswer(contact: Promise<ownContacts.OwnContact>) {
  const email = asEmail(await contact)
  return { email, emailAddress: email }
}
async function phoneAnswer(contact: Promise<ownContacts.OwnContact>) {
  const phone = asPhone(await contact)
  return { phone, phoneNumber: phone }
}

export function ownAccountRoutes(frontend: Frontend, { dataParts, endGrants }: FlowContext) {
  const { deps, handle } = frontend

  // Requested with nearly every page, so it is made once and kept as long as neither the user nor the tenant changes. A role with an end
  // changes by itself.
  handle(frontendEndpoints.getProfile, (call) => {
    const { signedIn, tenantId, tenant } = call
    const { made, row } = signedIn
    if (made.profile?.tenant === tenant) return made.profile.answer
    const make = async () => {
      const { user, factors } = await getKnownUser(deps, tenantId, row.user_id)
      const profile = presentProfile(user, factors)
      const answer = new Serialized(call.serialize(frontendEndpoints.getProfile, { user: profile }))
      if (user.row.role_expires_at === null) made.profile = { tenant, answer }
      return answer
    }
    return make()
  })
  handle(frontendEndpoints.updateProfile, async (call) => ({
    user: await profileOf(deps.db, await updateOwnProfile(deps, call, call.body)),
  }))

  handle(frontendEndpoints.setOwnPicture, async (call) => ({
    user: await profileOf(deps.db, await setOwnPicture(deps, call, call.body.image)),
  }))
  handle(frontendEndpoints.deleteOwnPicture, async (call) => ({
    user: await profileOf(deps.db, await deleteOwnPicture(deps, call)),
  }))

  handle(frontendEndpoints.listOwnSessions, async (call) =>
    pageOfWhole(
      'sessions',
      { items: await ownSessions.listOwnSessions(deps, call), order: 'newest first' },
      call.query,
    ),
  )
  handle(frontendEndpoints.deleteOwnSession, async (call) => ({
    session: await ownSessions.endOwnSession(deps, call, call.params.id),
  }))
  handle(frontendEndpoints.endOwnSessions, (call) => ownSessions.endOwnSessionHere(deps, call, call.body.redirectUri))
  handle(frontendEndpoints.endOtherOwnSessions, async (call) => ({
    ended: await ownSessions.endOtherOwnSessions(deps, call),
  }))
  handle(frontendEndpoints.createOwnToken, (call) => ownSessions.createOwnToken(deps, call, call.body))

  browserAccountRoutes(frontend)

  handle(frontendEndpoints.updateOwnPassword, async (call) => {
    const given = await updateOwnPassword(deps, call, call.body)
    return { user: await profileOf(deps.db, await getUser(deps, call.tenantId, call.signedIn.row.user_id)), ...given }
  })
  handle(frontendEndpoints.deleteOwnPassword, async (call) => {
    const given = await deleteOwnPassword(deps, call)
    return { user: await profileOf(deps.db, await getUser(deps, call.tenantId, call.signedIn.row.user_id)), ...given }
  })
  handle(frontendEndpoints.reportSecurityNotice, (call) => reportSecurityNotice(deps, endGrants, call, call.body.token))
  handle(frontendEndpoints.exportOwnData, (call) => exportOwnData(deps, call, dataParts))
  handle(frontendEndpoints.deleteOwnUser, async (call) => ({
    deleted: await deleteOwnUser(deps, call),
  }))
  emailRoutes(frontend)
  phoneRoutes(frontend)
}

function emailRoutes({ deps, handle }: Frontend) {
  handle(frontendEndpoints.listOwnEmails, async (call) => {
    const items = (await ownContacts.listOwnContacts(deps, call, emailKind)).map(asEmail)
    return pageOfWhole('emails', { items, order: 'oldest first' }, call.query)
  })
  handle(frontendEndpoints.createOwnEmail, (call) =>
    emailAnswer(ownContacts.createOwnContact(deps, call, emailKind, call.body.email)),
  )
  handle(frontendEndpoints.deleteOwnEmail, (call) =>
    emailAnswer(ownContacts.deleteOwnContact(deps, call, emailKind, call.params.id)),
  )
  handle(frontendEndpoints.prepareOwnEmail, (call) =>
    emailAnswer(prepareOwnContact(deps, call, emailKind, call.params.id)),
  )
  handle(frontendEndpoints.verifyOwnEmail, (call) =>
    emailAnswer(verifyOwnContact(deps, call, emailKind, call.params.id, call.body.code)),
  )
  handle(frontendEndpoints.makeOwnEmailPrimary, (call) =>
    emailAnswer(ownContacts.makeOwnContactPrimary(deps, call, emailKind, call.params.id)),
  )
}

function phoneRoutes({ deps, handle }: Frontend) {
  handle(frontendEndpoints.listOwnPhones, async (call) => {
    const items = (await ownContacts.listOwnContacts(deps, call, phoneKind)).map(asPhone)
    return pageOfWhole('phones', { items, order: 'oldest first' }, call.query)
  })
  handle(frontendEndpoints.createOwnPhone, (call) =>
    phoneAnswer(ownContacts.createOwnContact(deps, call, phoneKind, call.body.phone)),
  )
  handle(frontendEndpoints.deleteOwnPhone, (call) =>
    phoneAnswer(ownContacts.deleteOwnContact(deps, call, phoneKind, call.params.id)),
  )
  handle(frontendEndpoints.prepareOwnPhone, (call) =>
    phoneAnswer(prepareOwnContact(deps, call, phoneKind, call.params.id)),
  )
  handle(frontendEndpoints.verifyOwnPhone, (call) =>
    phoneAnswer(verifyOwnContact(deps, call, phoneKind, call.params.id, call.body.code)),
  )
  handle(frontendEndpoints.makeOwnPhonePrimary, (call) =>
    phoneAnswer(ownContacts.makeOwnContactPrimary(deps, call, phoneKind, call.params.id)),
  )
}
