import type { Deps } from '../../identity/deps.ts'
import { sessionEndedJobKind } from '../../identity/sessions/followers.ts'
import type { Feature } from '../../platform/feature.ts'
import { logoutHandler } from './back-channel.ts'

export const feature: Feature<Deps> = {
  name: 'applications/logout',
  jobs: (deps) => ({ [sessionEndedJobKind]: logoutHandler(deps) }),
}
