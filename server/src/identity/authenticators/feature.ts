import type { Feature } from '../../platform/feature.ts'
import type { Deps } from '../deps.ts'
import { authenticatorCodes, passkeyChallenges, passkeys, recoveryCodes } from './tables.ts'

export const feature: Feature<Deps> = {
  name: 'identity/authenticators',
  tables: [authenticatorCodes, recoveryCodes, passkeys, passkeyChallenges],
}
