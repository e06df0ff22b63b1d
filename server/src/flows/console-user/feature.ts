import type { FlowFeature } from '../feature.ts'
import { consoleUserRoutes } from './routes.ts'

export const feature: FlowFeature = {
  name: 'flows/console-user',
  management: consoleUserRoutes,
}
