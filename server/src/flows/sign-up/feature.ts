import type { DataPart } from '../../identity/people/export.ts'
import type { FlowFeature } from '../feature.ts'
import { publicTenantRoutes } from './public-tenant.ts'
import { signUpRoutes } from './routes.ts'
import { waitlistPart } from './waitlist.ts'

export const feature: FlowFeature & { readonly dataParts: readonly DataPart[] } = {
  name: 'flows/sign-up',
  dataParts: [waitlistPart],
  frontend(frontend) {
    publicTenantRoutes(frontend)
    signUpRoutes(frontend)
  },
}
