// Name, username and picture.
import { frontendEndpoints } from '@bailiwick/contract'
import { profilePage } from '@bailiwick/pages'
import type { Problems } from '../problems.ts'
import { type Account, type Refusals, problem } from './account.ts'

const path = '/account/profile'

async function showProfile(account: Account, problems?: Problems, typed?: { name: string; username: string }) {
  const { page } = account
  const { auth } = page.tenant
  const [profile, view] = await Promise.all([account.profile(), account.view(problems)])
  const { imageUri, name, username } = profile
  account.allowPicture(imageUri)
  const hasUsername = auth.usernameSignInEnabled || auth.usernameRequired || username !== null
  const shown = {
    ...view,
    imageUri,
    name: typed?.name ?? name ?? '',
    isNameRequired: auth.nameRequired,
    username: hasUsername ? (typed?.username ?? username ?? '') : undefined,
    isUsernameRequired: auth.usernameRequired,
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
  const typed = { name: page.field('name')?.trim() ?? '', username: page.field('username')?.trim() ?? '' }
  const change = {
    ...(typed.name === (before.name ?? '') ? {} : { name: typed.name === '' ? null : typed.name }),
    ...(typed.username === (before.username ?? '') ? {} : { username: typed.username === '' ? null : typed.username }),
  }
  const problems = await account.attempt(() => page.run(frontendEndpoints.updateProfile, { body: change }), {
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
