import { endpoints } from '@bailiwick/contract'
import type { Deps } from '../deps.ts'
import { locate } from '../../platform/http/locate.ts'
import { type Router, route } from '../../platform/http/route.ts'
import { emailKind, phoneKind } from './contact-kinds.ts'
import * as contacts from './contacts.ts'
import { presentEmailAddress, presentPhoneNumber } from './present.ts'

export function emailAddressRoutes(router: Router, deps: Deps) {
  const { db } = deps

  route(router, endpoints.listTenantEmailAddresses, async (call) =>
    contacts.listTenantContacts(deps, emailKind, call.enter(call.params.tenantId), call.query, presentEmailAddress),
  )

  route(router, endpoints.listUserEmailAddresses, async (call) => {
    const { userId } = call.params
    const tenantId = call.enter(await locate(db, call, 'users', userId))
    return contacts.listUserContacts(deps, emailKind, tenantId, userId, call.query, presentEmailAddress)
  })

  route(router, endpoints.getEmailAddress, async (call) => {
    const { id } = call.params
    const tenantId = call.enter(await locate(db, call, 'email_addresses', id))
    return presentEmailAddress(await contacts.getContact(deps, emailKind, tenantId, id))
  })

  route(router, endpoints.createEmailAddress, async (call) => {
    const { tenantId, userId, email } = call.body
    const input = { userId, value: email }
    return presentEmailAddress(await contacts.createContact(deps, emailKind, call.enter(tenantId), input, call.actor))
  })

  route(router, endpoints.updateEmailAddress, async (call) => {
    const { id, email } = call.body
    const tenantId = call.enter(await locate(db, call, 'email_addresses', id))
    return presentEmailAddress(await contacts.updateEmailAddress(deps, tenantId, id, email, call.actor))
  })

  route(router, endpoints.deleteEmailAddress, async (call) => {
    const { id } = call.query
    const tenantId = call.enter(await locate(db, call, 'email_addresses', id))
    await contacts.deleteContact(deps, emailKind, tenantId, id, call.actor)
    return { deleted: true }
  })

  route(router, endpoints.makePrimaryEmailAddress, async (call) => {
    const { id } = call.body
    const tenantId = call.enter(await locate(db, call, 'email_addresses', id))
    return presentEmailAddress(await contacts.makeContactPrimary(deps, emailKind, tenantId, id, call.actor))
  })

  route(router, endpoints.verifyEmailAddress, async (call) => {
    const { id } = call.body
    const tenantId = call.enter(await locate(db, call, 'email_addresses', id))
    return presentEmailAddress(await contacts.verifyContact(deps, emailKind, tenantId, id, call.actor))
  })
}

export function phoneNumberRoutes(router: Router, deps: Deps) {
  const { db } = deps

  route(router, endpoints.listTenantPhoneNumbers, async (call) =>
    contacts.listTenantContacts(deps, phoneKind, call.enter(call.params.tenantId), call.query, presentPhoneNumber),
  )

  route(router, endpoints.listUserPhoneNumbers, async (call) => {
    const { userId } = call.params
    const tenantId = call.enter(await locate(db, call, 'users', userId))
    return contacts.listUserContacts(deps, phoneKind, tenantId, userId, call.query, presentPhoneNumber)
  })

  route(router, endpoints.getPhoneNumber, async (call) => {
    const { id } = call.params
    const tenantId = call.enter(await locate(db, call, 'phone_numbers', id))
    return presentPhoneNumber(await contacts.getContact(deps, phoneKind, tenantId, id))
  })

  route(router, endpoints.createPhoneNumber, async (call) => {
    const { tenantId, userId, phone } = call.body
    const input = { userId, value: phone }
    return presentPhoneNumber(await contacts.createContact(deps, phoneKind, call.enter(tenantId), input, call.actor))
  })

  route(router, endpoints.deletePhoneNumber, async (call) => {
    const { id } = call.query
    const tenantId = call.enter(await locate(db, call, 'phone_numbers', id))
    await contacts.deleteContact(deps, phoneKind, tenantId, id, call.actor)
    return { deleted: true }
  })

  route(router, endpoints.makePrimaryPhoneNumber, async (call) => {
    const { id } = call.body
    const tenantId = call.enter(await locate(db, call, 'phone_numbers', id))
    return presentPhoneNumber(await contacts.makeContactPrimary(deps, phoneKind, tenantId, id, call.actor))
  })

  route(router, endpoints.verifyPhoneNumber, async (call) => {
    const { id } = call.body
    const tenantId = call.enter(await locate(db, call, 'phone_numbers', id))
    return presentPhoneNumber(await contacts.verifyContact(deps, phoneKind, tenantId, id, call.actor))
  })
}
