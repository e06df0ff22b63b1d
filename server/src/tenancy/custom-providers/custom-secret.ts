// The client secret of a custom provider, bound to its row.
import type { Sealer } from '../../platform/crypto/sealed.ts'
import type { CustomProviderRow } from './queries.ts'
import { customProviders } from './tables.ts'

type Place = Pick<CustomProviderRow, 'tenant_id' | 'id'>

const placeOf = (row: Place) => customProviders.place('sealed_client_secret', row)

export const sealCustomSecret = (sealer: Sealer, row: Place, secret: string) => sealer.seal(secret, placeOf(row))

export const openCustomSecret = (sealer: Sealer, row: Place & Pick<CustomProviderRow, 'sealed_client_secret'>) =>
  row.sealed_client_secret === null ? null : sealer.open(row.sealed_client_secret, placeOf(row))
