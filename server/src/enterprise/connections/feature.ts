import { removeUnfinished } from '../../identity/connection-sign-ins/connection-sign-ins.ts'
import { connectionSignIns } from '../../identity/connection-sign-ins/tables.ts'
import type { DataPart } from '../../identity/people/export.ts'
import { cleanUpPause, type Feature } from '../../platform/feature.ts'
import type { Deps } from '../deps.ts'
import { announceCertificateEnd } from './certificate-notices.ts'
import { connectionSignInsPart, connectionsPart } from './identities.ts'
import { connectionRoutes } from './routes.ts'
import { connectionIdentities, connectionTests, connections } from './tables.ts'
import { removeOldReports } from './tests.ts'

export const feature: Feature<Deps> & { readonly dataParts: readonly DataPart[] } = {
  name: 'enterprise/connections',
  tables: [connections, connectionIdentities, connectionTests, connectionSignIns],
  management: connectionRoutes,
  loops: (deps) => [
    { name: 'connection tests', ...cleanUpPause, step: () => removeOldReports(deps) },
    { name: 'unfinished sign-ins with connections', ...cleanUpPause, step: () => removeUnfinished(deps) },
    { name: 'certificate ends', ...cleanUpPause, step: () => announceCertificateEnd(deps) },
  ],
  dataParts: [connectionsPart, connectionSignInsPart],
}
