// E-mail addresses and phone numbers: the same handlers over two sets of operations.
import { type Profile, frontendEndpoints, isId } from '@bailiwick/contract'
import {
  type ContactSection,
  type ShownContact,
  contactCodePage,
  contactsPage,
  removalPage,
  withAddress,
} from '@bailiwick/pages'
import { notFound } from '../../platform/http/api-error.ts'
import type { PageCall } from '../call/page-call.ts'
import { codeOf } from '../form-values.ts'
import type { Problems } from '../problems.ts'
import { type Account, type Refusals, assertConfirmed, problem } from './account.ts'
import { openDraft, sealDraft } from './draft.ts'

interface Kind {
  readonly section: ContactSection
  readonly field: 'email' | 'phone'
  readonly refusals: Refusals
  readonly list: (page: PageCall) => Promise<ShownContact[]>
  readonly create: (page: PageCall, value: string) => Promise<string>
  readonly prepare: (page: PageCall, id: string) => Promise<unknown>
  readonly verify: (page: PageCall, id: string, code: string) => Promise<unknown>
  readonly makePrimary: (page: PageCall, id: string) => Promise<unknown>
  readonly remove: (page: PageCall, id: string) => Promise<unknown>
}

type Own = Pick<Profile['emails'][number], 'id' | 'verifiedAt' | 'primary'>

const shown = ({ id, verifiedAt, primary }: Own, value: string): ShownContact => ({
  id,
  value,
  isVerified: verifiedAt !== null,
  isPrimary: primary,
})

const common = {
  contact_unverified: ['form', 'emails.verifyFirst'],
  last_contact: ['form', 'account.lastContact'],
} as const satisfies Refusals

const perPage = '100'

const emails: Kind = {
  section: 'emails',
  field: 'email',
  refusals: { ...common, contact_limit_reached: ['email', 'emails.limit'], email_taken: ['form', 'emails.taken'] },
  list: async (page) => {
    const { emails: rows } = await page.run(frontendEndpoints.listOwnEmails, { query: { perPage } })
    return rows.map((row) => shown(row, row.email))
  },
  create: async (page, email) => (await page.run(frontendEndpoints.createOwnEmail, { body: { email } })).email.id,
  prepare: (page, id) => page.run(frontendEndpoints.prepareOwnEmail, { params: { id } }),
  verify: (page, id, code) => page.run(frontendEndpoints.verifyOwnEmail, { params: { id }, body: { code } }),
  makePrimary: (page, id) => page.run(frontendEndpoints.makeOwnEmailPrimary, { params: { id } }),
  remove: (page, id) => page.run(frontendEndpoints.deleteOwnEmail, { params: { id } }),
}

const phones: Kind = {
  section: 'phones',
  field: 'phone',
  refusals: { ...common, contact_limit_reached: ['phone', 'phones.limit'], phone_taken: ['form', 'phones.taken'] },
  list: async (page) => {
    const { phones: rows } = await page.run(frontendEndpoints.listOwnPhones, { query: { perPage } })
    return rows.map((row) => shown(row, row.phone))
  },
  create: async (page, phone) => (await page.run(frontendEndpoints.createOwnPhone, { body: { phone } })).phone.id,
  prepare: (page, id) => page.run(frontendEndpoints.prepareOwnPhone, { params: { id } }),
  verify: (page, id, code) => page.run(frontendEndpoints.verifyOwnPhone, { params: { id }, body: { code } }),
  makePrimary: (page, id) => page.run(frontendEndpoints.makeOwnPhonePrimary, { params: { id } }),
  remove: (page, id) => page.run(frontendEndpoints.deleteOwnPhone, { params: { id } }),
}

async function showList(account: Account, kind: Kind, problems?: Problems, typed?: string) {
  const { page } = account
  const { section } = kind
  const [view, contacts] = await Promise.all([account.view(problems), kind.list(page)])
  const value = typed ?? openDraft(account, section)
  // A form of the list whose address contains more than the list's own is shown on the list's page.
  const frame = page.frame(`${page.root}/account/${section}`)
  const canVerify = account.canVerify(section)
  return account.show(contactsPage(frame, { ...view, section, contacts, canVerify, value }), problems)
}

/** @throws ApiError not_found, also for one of another user. */
async function contactOf({ page }: Account, kind: Kind): Promise<ShownContact> {
  const found = isId(page.id) ? (await kind.list(page)).find(({ id }) => id === page.id) : undefined
  if (found === undefined) throw notFound()
  return found
}

async function showCode(account: Account, kind: Kind, contact: ShownContact, problems?: Problems) {
  const { page } = account
  const { id, value } = contact
  const shownWith = { ...(await account.view(problems)), section: kind.section, id, value }
  const isSentAgain = page.query('sent') === '1'
  return account.show(contactCodePage(page.frame(), { ...shownWith, isSentAgain }), problems)
}

const removalTexts = {
  emails: ['emails.removeTitle', 'emails.removeLead'],
  phones: ['phones.removeTitle', 'phones.removeLead'],
} as const

async function showRemoval(account: Account, kind: Kind, contact: ShownContact, problems?: Problems) {
  const { page } = account
  const { text } = page
  const { section } = kind
  const [title, lead] = removalTexts[section]
  const view = {
    ...(await account.view(problems)),
    section,
    title: text(title),
    lead: withAddress((address) => text(lead, { address }), contact.value),
    submit: text('account.remove'),
    to: `/account/${section}/${contact.id}/remove`,
  }
  return account.show(removalPage(page.frame(), view), problems)
}

/** Adds a contact that is to be verified, and sends the code. */
async function addContact(account: Account, kind: Kind) {
  const { page } = account
  const { section, field, refusals } = kind
  const path = `/account/${section}`
  const value = page.field(field)?.trim() ?? ''
  if (value === '') return showList(account, kind, problem(field, page.text('error.required')), value)
  account.resumeAt = `${path}?${new URLSearchParams({ draft: sealDraft(account, section, value) }).toString()}`
  let id = ''
  const problems = await account.attempt(
    async () => {
      id = await kind.create(page, value)
      await kind.prepare(page, id)
    },
    { refusals },
  )
  return problems === undefined ? page.go(`${path}/${id}`) : showList(account, kind, problems, value)
}

const doneNames = {
  emails: { verified: 'email-verified', primary: 'email-primary' },
  phones: { verified: 'phone-verified', primary: 'phone-primary' },
} as const

/** Returns every handler of one kind. */
function handlersOf(kind: Kind) {
  const { section, refusals } = kind
  const path = `/account/${section}`
  return {
    open: (account: Account) => showList(account, kind),

    add: (account: Account) => addContact(account, kind),

    openOne: async (account: Account) => {
      const contact = await contactOf(account, kind)
      return contact.isVerified ? account.page.go(path) : showCode(account, kind, contact)
    },

    verify: async (account: Account) => {
      const { page } = account
      const contact = await contactOf(account, kind)
      const code = codeOf(page)
      if (code === undefined) return showCode(account, kind, contact, problem('code', page.text('error.required')))
      const problems = await account.attempt(() => kind.verify(page, contact.id, code), {
        refusals,
        refused: ['code', 'error.wrongCode'],
      })
      if (problems !== undefined) return showCode(account, kind, contact, problems)
      return account.finish(path, doneNames[section].verified)
    },

    prepare: async (account: Account) => {
      const { page } = account
      const contact = await contactOf(account, kind)
      const problems = await account.attempt(() => kind.prepare(page, contact.id))
      if (problems !== undefined) return showCode(account, kind, contact, problems)
      return page.go(`${path}/${contact.id}${page.field('again') === undefined ? '' : '?sent=1'}`)
    },

    makePrimary: async (account: Account) => {
      const { id } = await contactOf(account, kind)
      const problems = await account.attempt(() => kind.makePrimary(account.page, id), { refusals })
      if (problems !== undefined) return showList(account, kind, problems)
      return account.finish(path, doneNames[section].primary)
    },

    openRemoval: async (account: Account) => {
      const contact = await contactOf(account, kind)
      assertConfirmed(account)
      return showRemoval(account, kind, contact)
    },

    remove: async (account: Account) => {
      const contact = await contactOf(account, kind)
      const problems = await account.attempt(() => kind.remove(account.page, contact.id), { refusals })
      if (problems !== undefined) return showRemoval(account, kind, contact, problems)
      return account.finish(path, 'removed')
    },
  }
}

export const emailPages = handlersOf(emails)
export const phonePages = handlersOf(phones)
