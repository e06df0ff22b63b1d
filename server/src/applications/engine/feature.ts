import type { Deps } from '../../identity/deps.ts'
import { cleanUpPause, type Feature } from '../../platform/feature.ts'
import { cleanUpAuthorizations } from '../clean-up.ts'
import { oauthInteractions, oauthReplays, oauthSessions, oauthTokens } from './tables.ts'

export const feature: Feature<Deps> = {
  name: 'applications/engine',
  tables: [oauthSessions, oauthInteractions, oauthTokens, oauthReplays],
  loops: (deps) => [{ name: 'authorizations', ...cleanUpPause, step: () => cleanUpAuthorizations(deps) }],
}
