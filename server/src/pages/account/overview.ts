// The overview of the account; a sign-in without another destination ends here.
import { frontendEndpoints } from '@bailiwick/contract'
import { type AccountSection, overviewPage, shownProvider } from '@bailiwick/pages'
import { nameOfProfile } from '../signed-in-name.ts'
import { type Account, findUpkeep } from './account.ts'

async function statesOf(account: Account, sections: readonly AccountSection[]) {
  const { page } = account
  const { text } = page
  const { emails, phones, hasPassword, secondFactors } = await account.profile()
  const counted = <Key extends AccountSection>(section: Key, count: () => Promise<string>) =>
    sections.includes(section) ? count() : undefined
  const [passkeys, left, sessions, apps, connections] = await Promise.all([
    counted('passkeys', async () => {
      const { meta } = await page.run(frontendEndpoints.listPasskeys)
      return meta.total === 0 ? text('account.none') : text('passkeys.count', { count: meta.total })
    }),
    counted('recoveryCodes', async () => {
      const { left: count } = await page.run(frontendEndpoints.getRecoveryCodes)
      return text('recovery.left', { count })
    }),
    counted('sessions', async () => {
      const { meta } = await page.run(frontendEndpoints.listOwnSessions)
      return text('sessions.count', { count: meta.total })
    }),
    counted('apps', async () => {
      const { meta } = await page.run(frontendEndpoints.listOwnAuthorizations, { query: { perPage: '1' } })
      return text('apps.count', { count: meta.total })
    }),
    counted('connections', async () => {
      const { connections: rows } = await page.run(frontendEndpoints.listOwnConnections)
      const shown = await account.providers()
      const names = new Set(
        rows.map(({ providerKey: key }) => (shown.find((each) => each.key === key) ?? shownProvider(key)).name),
      )
      return names.size === 0 ? text('account.none') : [...names].join(', ')
    }),
  ])
  const primaryOf = <Each extends { readonly primary: boolean }>(all: readonly Each[]) =>
    all.find(({ primary }) => primary) ?? all[0]
  return {
    emails: primaryOf(emails)?.email ?? text('account.none'),
    phones: primaryOf(phones)?.phone ?? text('account.none'),
    password: text(hasPassword ? 'account.set' : 'account.notSet'),
    app: text(secondFactors.includes('authenticator_code') ? 'account.on' : 'account.off'),
    ...(passkeys === undefined ? {} : { passkeys }),
    ...(left === undefined ? {} : { recoveryCodes: left }),
    ...(sessions === undefined ? {} : { sessions }),
    ...(apps === undefined ? {} : { apps }),
    ...(connections === undefined ? {} : { connections }),
  }
}

/** GET /account */
export async function showOverview(account: Account) {
  const { page } = account
  const [profile, view] = await Promise.all([account.profile(), account.view()])
  account.allowPicture(profile.imageUri)
  const states = await statesOf(account, view.sections)
  const { imageUri } = profile
  return account.show(
    overviewPage(page.frame(), {
      ...view,
      name: nameOfProfile(profile),
      imageUri,
      states,
      keepsAccounts: page.frontendCall().keepsAccounts,
      ...findUpkeep(account),
    }),
  )
}
