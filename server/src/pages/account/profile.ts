// Name, username, how the user reads, and picture.
import { frontendEndpoints } from '@bailiwick/contract'
import { profilePage } from '@bailiwick/pages'
import { valuesIn } from '../../tenancy/tenants/attributes/values.ts'
import { changedValues, shownValues, typedAttributes } from '../attributes.ts'
import type { Problems } from '../problems.ts'
import { type Account, type Refusals, problem } from './account.ts'

const path = '/account/profile'

/** The fields that the page shows as text, whatever they are. */
const fields = ['name', 'username', 'firstName', 'lastName', 'locale', 'timezone'] as const
type Typed = Readonly<Record<(typeof fields)[number], string>>

const timezones = Intl.supportedValuesOf('timeZone')

/** The attributes that the page asks for. */
const ownAttributes = ({ page }: Account) =>
  page.tenant.attributes.filter(
    ({ writableBy, shownAt }) => writableBy === 'user' && (shownAt === 'profile' || shownAt === 'both'),
  )

async function showProfile(account: Account, problems?: Problems, typed?: Typed) {
  const { page } = account
  const { auth } = page.tenant
  const [profile, view] = await Promise.all([account.profile(), account.view(problems)])
  const { imageUri, username } = profile
  const valueOf = (name: (typeof fields)[number]) => typed?.[name] ?? profile[name] ?? ''
  account.allowPicture(imageUri)
  const attributes = ownAttributes(account)
  const own =
    typed === undefined ? shownValues(attributes, valuesIn(profile.publicMeta)) : typedAttributes(page, attributes)
  const hasUsername = auth.usernameSignInEnabled || auth.usernameRequired || username !== null
  const shown = {
    ...view,
    imageUri,
    name: valueOf('name'),
    isNameRequired: auth.nameRequired,
    username: hasUsername ? valueOf('username') : undefined,
    isUsernameRequired: auth.usernameRequired,
    firstName: valueOf('firstName'),
    lastName: valueOf('lastName'),
    locale: valueOf('locale'),
    timezone: valueOf('timezone'),
    timezones,
    own: { attributes, typed: own },
  }
  return account.show(profilePage(page.frame(), shown), problems)
}

/** GET /account/profile */
export const openProfile = (account: Account) => showProfile(account)

const refusals: Refusals = { last_contact: ['username', 'account.lastContact'] }

/** POST /account/profile */
export async function saveProfile(account: Account) {
  const { page } = account
  const before = await account.profile()
  const typed = Object.fromEntries(fields.map((name) => [name, page.field(name)?.trim() ?? ''])) as Typed
  const changed = fields.filter((name) => typed[name] !== (before[name] ?? ''))
  const change = Object.fromEntries(changed.map((name) => [name, typed[name] === '' ? null : typed[name]]))
  const asked = ownAttributes(account)
  const stored = shownValues(asked, valuesIn(before.publicMeta))
  const attributes = changedValues(asked, typedAttributes(page, asked), stored)
  const body = { ...change, ...(Object.keys(attributes).length === 0 ? {} : { attributes }) }
  const problems = await account.attempt(() => page.run(frontendEndpoints.updateProfile, { body }), {
    refusals,
  })
  return problems === undefined ? account.finish(path, 'saved') : showProfile(account, problems, typed)
}

const pictureRefusals: Refusals = {
  image_too_large: ['picture', 'profile.pictureTooLarge'],
  image_unprocessable: ['picture', 'profile.pictureInvalid'],
  media_quota_exceeded: ['picture', 'profile.pictureFull'],
  validation_failed: ['picture', 'profile.pictureInvalid'],
}

/** POST /account/profile/picture */
export async function savePicture(account: Account) {
  const { page } = account
  const { file } = page
  if (file === undefined) return showProfile(account, problem('picture', account.text('profile.pictureMissing')))
  const body = { image: file.toString('base64') }
  const problems = await account.attempt(() => page.run(frontendEndpoints.setOwnPicture, { body }), {
    refusals: pictureRefusals,
  })
  return problems === undefined ? account.finish(path, 'picture-saved') : showProfile(account, problems)
}

/** POST /account/profile/picture/remove */
export async function removePicture(account: Account) {
  await account.page.run(frontendEndpoints.deleteOwnPicture)
  return account.finish(path, 'picture-removed')
}
