import { endpoints } from '@bailiwick/contract'
import type { Management } from '../../platform/http/management-steps.ts'
import type { Deps } from '../deps.ts'
import { emailKind, phoneKind } from '../users/contact-kinds.ts'
import { presentEmailAddress, presentPhoneNumber } from '../users/present.ts'
import * as contacts from './contacts.ts'
import { createContact } from './unproven-access.ts'

export function emailAddressRoutes({ handle }: Management, deps: Deps) {
  handle(endpoints.listTenantEmailAddresses, ({ tenantId, query }) =>
    contacts.listTenantContacts(deps, emailKind, tenantId, query, presentEmailAddress),
  )
  handle(endpoints.listUserEmailAddresses, ({ tenantId, params, query }) =>
    contacts.listUserContacts(deps, emailKind, tenantId, params.userId, query, presentEmailAddress),
  )
  handle(endpoints.getEmailAddress, async ({ tenantId, params }) =>
    presentEmailAddress(await contacts.getContact(deps, emailKind, tenantId, params.id)),
  )
  handle(endpoints.createEmailAddress, async ({ tenantId, body: { userId, email }, actor }) =>
    presentEmailAddress(await createContact(deps, emailKind, tenantId, { userId, value: email }, actor)),
  )
  handle(endpoints.updateEmailAddress, async ({ tenantId, body: { id, email }, actor }) =>
    presentEmailAddress(await contacts.updateEmailAddress(deps, tenantId, id, email, actor)),
  )
  handle(endpoints.deleteEmailAddress, async ({ tenantId, query, actor }) => {
    await contacts.deleteContact(deps, emailKind, tenantId, query.id, actor)
    return { deleted: true }
  })
  handle(endpoints.makePrimaryEmailAddress, async ({ tenantId, body, actor }) =>
    presentEmailAddress(await contacts.makeContactPrimary(deps, emailKind, tenantId, body.id, actor)),
  )
  handle(endpoints.verifyEmailAddress, async ({ tenantId, body, actor }) =>
    presentEmailAddress(await contacts.verifyContact(deps, emailKind, tenantId, body.id, actor)),
  )
}

export function phoneNumberRoutes({ handle }: Management, deps: Deps) {
  handle(endpoints.listTenantPhoneNumbers, ({ tenantId, query }) =>
    contacts.listTenantContacts(deps, phoneKind, tenantId, query, presentPhoneNumber),
  )
  handle(endpoints.listUserPhoneNumbers, ({ tenantId, params, query }) =>
    contacts.listUserContacts(deps, phoneKind, tenantId, params.userId, query, presentPhoneNumber),
  )
  handle(endpoints.getPhoneNumber, async ({ tenantId, params }) =>
    presentPhoneNumber(await contacts.getContact(deps, phoneKind, tenantId, params.id)),
  )
  handle(endpoints.createPhoneNumber, async ({ tenantId, body: { userId, phone }, actor }) =>
    presentPhoneNumber(await createContact(deps, phoneKind, tenantId, { userId, value: phone }, actor)),
  )
  handle(endpoints.deletePhoneNumber, async ({ tenantId, query, actor }) => {
    await contacts.deleteContact(deps, phoneKind, tenantId, query.id, actor)
    return { deleted: true }
  })
  handle(endpoints.makePrimaryPhoneNumber, async ({ tenantId, body, actor }) =>
    presentPhoneNumber(await contacts.makeContactPrimary(deps, phoneKind, tenantId, body.id, actor)),
  )
  handle(endpoints.verifyPhoneNumber, async ({ tenantId, body, actor }) =>
    presentPhoneNumber(await contacts.verifyContact(deps, phoneKind, tenantId, body.id, actor)),
  )
}
