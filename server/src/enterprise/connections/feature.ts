import type { DataPart } from '../../identity/people/export.ts'
import { cleanUpPause, type Feature } from '../../platform/feature.ts'
import type { Deps } from '../deps.ts'
import { announceCertificateEnd } from './certificate-notices.ts'
import { connectionsPart } from './identities.ts'
import { connectionRoutes } from './routes.ts'
import { connectionIdentities, connections } from './tables.ts'

export const feature: Feature<Deps> & { readonly dataParts: readonly DataPart[] } = {
  name: 'enterprise/connections',
  tables: [connections, connectionIdentities],
  management: connectionRoutes,
  loops: (deps) => [{ name: 'certificate ends', ...cleanUpPause, step: () => announceCertificateEnd(deps) }],
  dataParts: [connectionsPart],
}
