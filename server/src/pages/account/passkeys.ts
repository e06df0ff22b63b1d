// Passkeys and security keys.
import { type Passkey, frontendEndpoints } from '@bailiwick/contract'
import { passkeyNamePage, passkeysPage, removalPage, withAddress } from '@bailiwick/pages'
import { hasRelyingParty } from '../../identity/authenticators/relying-party.ts'
import { notFound } from '../../platform/http/api-error.ts'
import type { Problems } from '../problems.ts'
import { credentialOf } from '../sign-in/sign-in-start.ts'
import { type Account, type Refusals, assertConfirmed, findUpkeep } from './account.ts'
import { openDraft, sealDraft } from './draft.ts'
import { showNewCodes } from './new-recovery-codes.ts'

const path = '/account/passkeys'

const passkeysOf = async ({ page }: Account): Promise<Passkey[]> =>
  (await page.run(frontendEndpoints.listPasskeys, { query: { perPage: '100' } })).passkeys

async function showPasskeys(account: Account, problems?: Problems, name?: string) {
  const { page } = account
  const { deps, tenant, request } = page
  const isEnabled = tenant.auth.strategySecurityKeyEnabled
  const isHere = hasRelyingParty(deps.config, tenant, request)
  const view = {
    ...(await account.view(problems)),
    passkeys: await passkeysOf(account),
    canAdd: isEnabled && isHere,
    isElsewhere: isEnabled && !isHere,
    name: name ?? openDraft(account, 'passkeys'),
    ...findUpkeep(account),
    now: deps.clock.now(),
  }
  return account.show(passkeysPage(page.frame(), view), problems)
}

/** GET /account/passkeys/signals: only for the script. */
export const answerSignals = ({ page }: Account) => page.run(frontendEndpoints.getPasskeySignals)

/** GET /account/passkeys */
export const openPasskeys = (account: Account) => showPasskeys(account)

/** POST /account/passkeys/options: only for the script, which goes where it is sent. */
export function answerCreationOptions(account: Account) {
  const { page } = account
  const name = page.field('name')
  if (name !== undefined) {
    account.resumeAt = `${path}?${new URLSearchParams({ draft: sealDraft(account, 'passkeys', name) }).toString()}`
  }
  return page.run(frontendEndpoints.createPasskeyOptions)
}

const refusals: Refusals = {
  passkey_exists: ['form', 'passkeys.exists'],
  passkey_limit_reached: ['form', 'passkeys.limit'],
  passkey_refused: ['form', 'passkeys.failed'],
  last_way_in: ['form', 'account.lastWayIn'],
}

/** POST /account/passkeys */
export async function addPasskey(account: Account) {
  const { page } = account
  const name = page.field('name')?.trim() ?? ''
  let codes: readonly string[] | undefined
  const problems = await account.attempt(
    async () => {
      const credential = credentialOf(page)
      const body = { credential, ...(name === '' ? {} : { name }) }
      codes = (await page.run(frontendEndpoints.createPasskey, { body })).recoveryCodes
    },
    { refusals, refused: ['form', 'passkeys.failed'] },
  )
  if (problems !== undefined) return showPasskeys(account, problems, name)
  if (codes !== undefined)
    return showNewCodes(account, codes, { from: 'passkeys', continueAt: `${path}?done=passkey-added` })
  return account.finish(path, 'passkey-added')
}

/** @throws ApiError not_found, also for one of another user. */
async function passkeyOf(account: Account): Promise<Passkey> {
  const found = (await passkeysOf(account)).find(({ id }) => id === account.page.id)
  if (found === undefined) throw notFound()
  return found
}

async function showName(account: Account, { id, name, provider }: Passkey, problems?: Problems) {
  const view = { ...(await account.view(problems)), id, name: name ?? provider ?? '' }
  return account.show(passkeyNamePage(account.page.frame(), view), problems)
}

/** GET /account/passkeys/{id} */
export const openPasskey = async (account: Account) => showName(account, await passkeyOf(account))

/** POST /account/passkeys/{id} */
export async function renamePasskey(account: Account) {
  const { page } = account
  const passkey = await passkeyOf(account)
  const { id } = passkey
  const name = page.field('name')?.trim() ?? ''
  const input = { params: { id }, body: { name: name === '' ? null : name } }
  const problems = await account.attempt(() => page.run(frontendEndpoints.updatePasskey, input))
  return problems === undefined ? account.finish(path, 'saved') : showName(account, { ...passkey, name }, problems)
}

async function showRemoval(account: Account, { id, name, provider }: Passkey, problems?: Problems) {
  const { page } = account
  const { text } = page
  const view = {
    ...(await account.view(problems)),
    section: 'passkeys' as const,
    title: text('passkeys.removeTitle'),
    lead: withAddress(
      (shown) => text('passkeys.removeLead', { name: shown }),
      name ?? provider ?? text('passkeys.unnamed'),
    ),
    submit: text('account.remove'),
    to: `${path}/${id}/remove`,
  }
  return account.show(removalPage(page.frame(), view), problems)
}

/** GET /account/passkeys/{id}/remove */
export async function openPasskeyRemoval(account: Account) {
  const passkey = await passkeyOf(account)
  assertConfirmed(account)
  return showRemoval(account, passkey)
}

/** POST /account/passkeys/{id}/remove */
export async function removePasskey(account: Account) {
  const { page } = account
  const passkey = await passkeyOf(account)
  const input = { params: { id: passkey.id } }
  const problems = await account.attempt(() => page.run(frontendEndpoints.deletePasskey, input), { refusals })
  return problems === undefined ? account.finish(path, 'passkey-removed') : showRemoval(account, passkey, problems)
}
