// What the history needs to know of a document that is kept in versions. The history itself is loaded when it is opened.
import { useOperation } from '../../api/use-operation.ts'
import { useTenant } from '../../session/tenant.tsx'

export interface VersionedDocument {
  readonly list:
    | 'listAttributesVersions'
    | 'listAuthVersions'
    | 'listBrandVersions'
    | 'listClaimsVersions'
    | 'listPagesVersions'
  readonly diff:
    | 'diffAttributesVersions'
    | 'diffAuthVersions'
    | 'diffBrandVersions'
    | 'diffClaimsVersions'
    | 'diffPagesVersions'
  readonly restore:
    | 'restoreAttributesVersion'
    | 'restoreAuthVersion'
    | 'restoreBrandVersion'
    | 'restoreClaimsVersion'
    | 'restorePagesVersion'
  /** The number of the oldest state: 0 is that of a new tenant. */
  readonly first: 0 | 1
  /** Returns the name of a setting for people. */
  readonly nameOf: (setting: string) => string
}

/** The number of the version in use; undefined while it is not known. */
export function usePresentVersion(list: VersionedDocument['list']): number | undefined {
  const { id } = useTenant()
  return useOperation(list, { params: { id }, query: { perPage: '1' } }).data?.meta.total
}
