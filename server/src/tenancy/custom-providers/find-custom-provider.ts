// For those who need a custom provider within their own transactions.
import {
  type CustomProviderRow,
  selectCustomProvider,
  selectCustomProviderByKey,
  selectEnabledCustomProviders,
} from './queries.ts'

export type { CustomProviderRow }
export const findCustomProvider = selectCustomProvider
export const findCustomProviderByKey = selectCustomProviderByKey
export const listSignInCustomProviders = selectEnabledCustomProviders
