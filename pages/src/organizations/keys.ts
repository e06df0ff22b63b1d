// The API keys of an organization.
import type { Frame } from '../frame.ts'
import { type ApiKeyForm, type ApiKeyList, apiKeyForm, apiKeyList, newApiKey } from '../parts/api-keys.ts'
import { type OrganizationView, organizationPage, organizationPath } from './shell.ts'

const section = 'keys'
const keysPath = ({ organization }: OrganizationView) => organizationPath(organization, 'keys')

export const organizationKeysPage = (frame: Frame, view: OrganizationView & ApiKeyList): string => {
  const { text } = frame
  const options = { title: text('account.keys'), lead: text('keys.organizationLead'), section } as const
  return organizationPage(frame, view, options, apiKeyList(frame, keysPath(view), view))
}

export const createOrganizationKeyPage = (frame: Frame, view: OrganizationView & ApiKeyForm): string =>
  organizationPage(frame, view, { title: frame.text('keys.create'), section }, apiKeyForm(frame, keysPath(view), view))

export const newOrganizationKeyPage = (frame: Frame, view: OrganizationView, key: string): string => {
  const { text } = frame
  const options = { title: text('keys.newTitle'), lead: text('keys.newLead'), section } as const
  return organizationPage(frame, view, options, newApiKey(frame, keysPath(view), key))
}
