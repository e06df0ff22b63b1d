// The management interface as a resource of every tenant: a machine application gets tokens for it with the scopes that it was granted.
import { type Scope, managementResource, scopes } from '@bailiwick/contract'
import type { Config } from '../../../platform/config.ts'
import { fromJson } from '../../../platform/json-text.ts'
import type { ApplicationRow } from '../../applications/application-records.ts'

export const managementIndicator = ({ baseUrl }: Pick<Config, 'baseUrl'>): string => new URL('/api/v0', baseUrl).href

const isScope = (text: string): text is Scope => (scopes as readonly string[]).includes(text)

/** Only machine applications have scopes here. */
export function managementScopesFor(application: ApplicationRow): Scope[] {
  if (application.type !== 'machine') return []
  const own = fromJson(application.machine_scopes).find(({ resourceId }) => resourceId === managementResource)
  return (own?.scopes ?? []).filter(isScope)
}
