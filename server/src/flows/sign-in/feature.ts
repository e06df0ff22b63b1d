import type { FlowFeature } from '../feature.ts'
import { signInExplanationRoutes, signInRoutes } from './routes.ts'

export const feature: FlowFeature = {
  name: 'flows/sign-in',
  management: signInExplanationRoutes,
  frontend: signInRoutes,
}
