import type { FlowFeature } from '../../flows/feature.ts'
import { interactionRoutes } from './routes.ts'

export const feature: FlowFeature = { name: 'applications/interactions', frontend: interactionRoutes }
