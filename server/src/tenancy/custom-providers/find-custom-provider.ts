// For those who need a custom provider within their own transactions.
import type { Sealer } from '../../platform/crypto/sealed.ts'
import {
  type CustomProviderRow,
  selectCustomProvider,
  selectCustomProviderByKey,
  selectCustomTokenProviders,
  selectEnabledCustomProviders,
} from './queries.ts'
import { customProviders } from './tables.ts'

export type { CustomProviderRow }
export const findCustomProvider = selectCustomProvider
export const findCustomProviderByKey = selectCustomProviderByKey
export const listSignInCustomProviders = selectEnabledCustomProviders
export const listCustomTokenProviders = selectCustomTokenProviders

type Place = Pick<CustomProviderRow, 'tenant_id' | 'id'>

/** The client secret of a custom provider is bound to its row. */
const secretPlace = (row: Place) => customProviders.place('sealed_client_secret', row)

export const sealCustomSecret = (sealer: Sealer, row: Place, secret: string) => sealer.seal(secret, secretPlace(row))

export const openCustomSecret = (sealer: Sealer, row: Place & Pick<CustomProviderRow, 'sealed_client_secret'>) =>
  row.sealed_client_secret === null ? null : sealer.open(row.sealed_client_secret, secretPlace(row))
