// The user's own API keys. A new one is shown in the answer to its form, and never again.
import { frontendEndpoints } from '@bailiwick/contract'
import { createOwnKeyPage, newOwnKeyPage, ownKeysPage } from '@bailiwick/pages'
import { ApiError } from '../../platform/http/api-error.ts'
import { readNewKey } from '../new-api-key.ts'
import type { Problems } from '../problems.ts'
import { type Account, type Refusals, assertConfirmed } from './account.ts'

const path = '/account/keys'
const refusals: Refusals = { user_api_key_limit_reached: ['form', 'keys.limit'] }

const readKeys = ({ page }: Account) => page.run(frontendEndpoints.listOwnApiKeys, { query: { perPage: '100' } })

/** GET /account/keys */
export async function openKeys(account: Account) {
  const { page } = account
  const [view, { apiKeys: keys }] = await Promise.all([account.view(), readKeys(account)])
  return account.show(ownKeysPage(page.frame(), { ...view, keys, now: page.deps.clock.now() }))
}

async function showCreation(account: Account, problems?: Problems, name?: string) {
  const [view, { offer }] = await Promise.all([account.view(problems), readKeys(account)])
  return account.show(createOwnKeyPage(account.page.frame(), { ...view, ...offer, name }), problems)
}

const showNew = async (account: Account, key: string) =>
  account.show(newOwnKeyPage(account.page.frame(), await account.view(), key))

/** GET /account/keys/new */
export async function openCreation(account: Account) {
  assertConfirmed(account)
  return showCreation(account)
}

/** POST /account/keys/new */
export async function createKey(account: Account) {
  const { page } = account
  const { offer } = await readKeys(account)
  const body = readNewKey(page, offer)
  let key = ''
  const problems = await account.attempt(
    async () => {
      key = (await page.run(frontendEndpoints.createOwnApiKey, { body })).apiKey.key
    },
    { refusals },
  )
  return problems === undefined ? showNew(account, key) : showCreation(account, problems, body.name)
}

/** POST /account/keys/{id}: replaces or ends it. */
export async function changeKey(account: Account) {
  const { page } = account
  const params = { id: page.id }
  try {
    if (page.field('action') === 'replace') {
      assertConfirmed(account)
      const { apiKey } = await page.run(frontendEndpoints.rotateOwnApiKey, { params, body: {} })
      return await showNew(account, apiKey.key)
    }
    await page.run(frontendEndpoints.deleteOwnApiKey, { params })
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'not_found') throw error
    return account.finish(path, 'gone')
  }
  return account.finish(path, 'key-ended')
}
