// The user's data as a file, and deleting the account.
import { frontendEndpoints } from '@bailiwick/contract'
import { dataPage, deletePage } from '@bailiwick/pages'
import { DataStream, json, streamOf } from '../../platform/http/answer.ts'
import type { Problems } from '../problems.ts'
import { nameOfProfile } from '../signed-in-name.ts'
import { type Account, type Refusals, assertConfirmed, problem } from './account.ts'

/** GET /account/data: the form answers with a file, so the user's identity is confirmed before it. */
export async function openData(account: Account) {
  assertConfirmed(account)
  return account.show(dataPage(account.page.frame(), await account.view()))
}

/** POST /account/data */
export async function sendData({ page }: Account) {
  const data: unknown = await page.run(frontendEndpoints.exportOwnData)
  if (!(data instanceof DataStream)) throw new Error('the data of a user was not streamed')
  const name = `${page.tenant.row.slug}-data.json`
  return page.reply
    .headers({ 'content-type': json, 'content-disposition': `attachment; filename="${name}"` })
    .send(streamOf(data.texts))
}

async function showDelete(account: Account, problems?: Problems) {
  const { page } = account
  const [view, profile] = await Promise.all([account.view(problems), account.profile()])
  return account.show(deletePage(page.frame(), { ...view, name: nameOfProfile(profile) }), problems)
}

/** GET /account/delete */
export function openDelete(account: Account) {
  assertConfirmed(account)
  return showDelete(account)
}

const refusals: Refusals = {
  last_manager: ['form', 'delete.lastManager'],
  last_admin: ['form', 'delete.lastAdmin'],
}

/** POST /account/delete */
export async function deleteAccount(account: Account) {
  const { page } = account
  const { text } = page
  if (page.field('understood') !== '1') return showDelete(account, problem('understood', text('delete.confirmFirst')))
  const problems = await account.attempt(() => page.run(frontendEndpoints.deleteOwnUser), { refusals })
  if (problems !== undefined) return showDelete(account, problems)
  return page.message({ title: text('delete.doneTitle'), lead: text('delete.doneLead') })
}
