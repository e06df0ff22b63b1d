import type { FlowFeature } from '../feature.ts'
import { wellKnownRoutes } from './well-known.ts'

export const feature: FlowFeature = {
  name: 'flows/frontend',
  frontend: wellKnownRoutes,
}
