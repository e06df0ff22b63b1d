import type { FlowFeature } from '../feature.ts'
import { signUpRoutes } from './routes.ts'

export const feature: FlowFeature = {
  name: 'flows/sign-up',
  frontend: signUpRoutes,
}
