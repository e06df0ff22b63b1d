import type { Feature } from '../../platform/feature.ts'
import type { Deps } from '../deps.ts'
import { attributeRoutes } from './routes.ts'

export const feature: Feature<Deps> = { name: 'identity/attributes', management: attributeRoutes }
