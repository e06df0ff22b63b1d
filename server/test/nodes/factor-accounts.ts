// An account with its factors, and changes of them: by the tenant, or by the user in a session on another browser.
import { SoftwareAuthenticator } from '../harness/browser/software-authenticator.ts'
import { unique } from '../harness/factories.ts'
import { Person, password as firstPassword } from '../harness/people/people.ts'
import { browserOf, signedInUser } from '../harness/people/signed-in-user.ts'
import type { TestService } from '../harness/service.ts'
import type { Change, Setting } from './factor-steps.ts'

export interface Account {
  readonly person: Person
  /** Only the newest one is valid here, too. */
  readonly phones: { readonly id: string; readonly phone: string }[]
  /** Only the newest one is valid. */
  readonly passwords: string[]
  secret: string | undefined
  earlierSecret: string | undefined
  key: { readonly id: string; readonly key: SoftwareAuthenticator } | undefined
  earlierKey: SoftwareAuthenticator | undefined
  recoveryCodes: string[]
  spentCode: string | undefined
  isSuspended: boolean
}

export interface Surroundings {
  readonly service: TestService
  readonly advance: (ms: number) => void
  readonly tenant: { readonly id: string; readonly publicKey: string }
  /** What the tenant has switched on. */
  readonly on: Set<Setting>
}

export const stepMs = 30_000
const newPhone = () => `+49151${String(Math.floor(Math.random() * 1e8)).padStart(8, '0')}`
const newPassword = () => `${firstPassword} ${unique()}`

/** With an authenticator app. */
export async function createAccount({ service, tenant }: Surroundings): Promise<Account> {
  const [password, phone] = [newPassword(), newPhone()]
  const { user, email, browser } = await signedInUser(service, tenant, { password, phone })
  await service.ok('verifyPhoneNumber', { body: { id: user.primaryPhoneId } })
  const person = new Person(service, tenant, user, email)
  Object.assign(person, { browser })
  const { secret, recoveryCodes } = await person.addApp()
  const nothing = { earlierSecret: undefined, key: undefined, earlierKey: undefined, spentCode: undefined }
  const phones = [{ id: user.primaryPhoneId ?? '', phone }]
  return { person, phones, passwords: [password], secret, recoveryCodes, ...nothing, isSuspended: false }
}

export const hasSecondFactor = ({ secret, key }: Account, on: ReadonlySet<Setting>) =>
  (secret !== undefined && on.has('strategyAuthenticatorCodeEnabled')) ||
  (key !== undefined && on.has('strategySecurityKeyEnabled'))

type Way = (account: Account, around: Surroundings) => Promise<'sessions end' | undefined>

const status =
  (operation: 'suspendUser' | 'unsuspendUser', isSuspended: boolean): Way =>
  async (account, { service }) => {
    await service.ok(operation, { params: { id: account.person.user.id } })
    account.isSuspended = isSuspended
    return isSuspended ? 'sessions end' : undefined
  }

const changePhone: Way = async ({ person, phones }, { service, tenant }) => {
  const phone = newPhone()
  await service.ok('deletePhoneNumber', { query: { id: phones.at(-1)?.id ?? '' } })
  const body = { tenantId: tenant.id, userId: person.user.id, phone }
  const { id } = await service.ok<{ id: string }>('createPhoneNumber', { body })
  await service.ok('verifyPhoneNumber', { body: { id } })
  phones.push({ id, phone })
  return undefined
}

const changePassword: Way = async ({ person: { browser }, passwords }) => {
  const password = newPassword()
  await browser.ok('updateOwnPassword', { body: { oldPassword: passwords.at(-1), password } })
  passwords.push(password)
  return 'sessions end'
}

const renewRecoveryCodes: Way = async (account) => {
  if (account.secret === undefined && account.key === undefined) return undefined
  const { recoveryCodes } = await account.person.browser.ok<{ recoveryCodes: string[] }>('createRecoveryCodes')
  account.spentCode = account.recoveryCodes[0]
  account.recoveryCodes = recoveryCodes
  return undefined
}

/** The recovery codes are removed with the last second factor. */
function forgetCodes(account: Account) {
  account.spentCode = account.recoveryCodes[0] ?? account.spentCode
  if (account.secret === undefined && account.key === undefined) account.recoveryCodes = []
}

const removeApp: Way = async (account) => {
  if (account.secret === undefined) return undefined
  await account.person.browser.ok('deleteAuthenticatorCode')
  Object.assign(account, { earlierSecret: account.secret, secret: undefined })
  forgetCodes(account)
  return undefined
}

const replaceApp: Way = async (account, { on, advance }) => {
  if (!on.has('strategyAuthenticatorCodeEnabled')) return undefined
  account.earlierSecret = account.secret ?? account.earlierSecret
  account.spentCode = account.recoveryCodes[0] ?? account.spentCode
  Object.assign(account, await account.person.addApp())
  advance(stepMs)
  return undefined
}

const removeKey: Way = async (account) => {
  if (account.key === undefined) return undefined
  const params = { id: account.key.id }
  // The last way of signing in stays.
  if ((await account.person.browser.call('deletePasskey', { params })).status !== 200) return undefined
  Object.assign(account, { earlierKey: account.key.key, key: undefined })
  forgetCodes(account)
  return undefined
}

const replaceKey: Way = async (account, around) => {
  if (!around.on.has('strategySecurityKeyEnabled')) return undefined
  await removeKey(account, around)
  if (account.key !== undefined) return undefined
  const { key, passkey, recoveryCodes } = await account.person.addPasskey(new SoftwareAuthenticator())
  account.key = { id: passkey.id, key }
  account.recoveryCodes = recoveryCodes ?? account.recoveryCodes
  return undefined
}

const byTenant: Partial<Record<Change, Way>> = {
  suspended: status('suspendUser', true),
  unsuspended: status('unsuspendUser', false),
  phone: changePhone,
}
const byUser: Partial<Record<Change, Way>> = {
  password: changePassword,
  'app removed': removeApp,
  'app replaced': replaceApp,
  'key removed': removeKey,
  'key replaced': replaceKey,
  'recovery codes': renewRecoveryCodes,
}

/** Whether this has ended the user's sessions. */
export async function changeAccount(account: Account, around: Surroundings, what: Change): Promise<boolean> {
  const way = byTenant[what]
  if (way !== undefined) return (await way(account, around)) !== undefined
  if (account.isSuspended) return false
  const { browser } = await browserOf(around.service, around.tenant, account.person.user.id)
  Object.assign(account.person, { browser })
  return (await byUser[what]?.(account, around)) !== undefined
}
