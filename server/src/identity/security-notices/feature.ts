import type { Feature } from '../../platform/feature.ts'
import type { Deps } from '../deps.ts'
import { noticeLinks } from './tables.ts'

/** Expired ones are removed with everything else that expires. */
export const feature: Feature<Deps> = { name: 'identity/security-notices', tables: [noticeLinks] }
