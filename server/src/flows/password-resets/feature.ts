import type { FlowFeature } from '../feature.ts'
import { passwordResetRoutes } from './routes.ts'
import { passwordResets } from './tables.ts'

export const feature: FlowFeature = {
  name: 'flows/password-resets',
  tables: [passwordResets],
  frontend: passwordResetRoutes,
}
