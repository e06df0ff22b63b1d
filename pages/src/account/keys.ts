// The user's own API keys.
import type { Frame } from '../frame.ts'
import { type ApiKeyForm, type ApiKeyList, apiKeyForm, apiKeyList, newApiKey } from '../parts/api-keys.ts'
import { type AccountView, accountPage } from './account-page.ts'

const path = '/account/keys'
const section = 'keys'

export const ownKeysPage = (frame: Frame, view: AccountView & ApiKeyList): string => {
  const lead = frame.text('keys.lead', { tenant: frame.tenant?.name ?? '' })
  return accountPage(frame, view, { title: frame.text('account.keys'), lead, section }, apiKeyList(frame, path, view))
}

export const createOwnKeyPage = (frame: Frame, view: AccountView & ApiKeyForm): string =>
  accountPage(frame, view, { title: frame.text('keys.create'), section }, apiKeyForm(frame, path, view))

export const newOwnKeyPage = (frame: Frame, view: AccountView, key: string): string => {
  const { text } = frame
  return accountPage(
    frame,
    view,
    { title: text('keys.newTitle'), lead: text('keys.newLead'), section },
    newApiKey(frame, path, key),
  )
}
