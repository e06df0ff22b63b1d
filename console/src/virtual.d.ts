declare module 'virtual:operations' {
  import type { EndpointId, Permission, RoleFlag, TenantPermission } from '@bailiwick/contract'

  export interface OperationFacts {
    readonly method: string
    readonly path: string
    readonly permission: Permission
  }
  export const operations: Readonly<Record<EndpointId, OperationFacts>>
  /** For each right, the flags any one of which suffices; roleAdmin always does. */
  export const rights: Readonly<Record<TenantPermission, readonly RoleFlag[]>>
}

declare module 'virtual:operation-schemas' {
  import type { EndpointId } from '@bailiwick/contract'
  import type { Schema } from './form/schema.ts'

  interface Parts {
    readonly query?: Schema
    readonly body?: Schema
  }
  type WithParts = {
    [Id in EndpointId]: (typeof import('@bailiwick/contract').endpoints)[Id] extends
      | { query: object }
      | { body: object }
      ? Id
      : never
  }[EndpointId]

  /** Operations with neither are missing. */
  export const schemas: Readonly<Record<WithParts, Parts> & Partial<Record<Exclude<EndpointId, WithParts>, Parts>>>
}

declare module 'virtual:provider-settings' {
  import type { Schema } from './form/schema.ts'

  export const providers: Readonly<Record<string, Schema>>
}

declare module 'virtual:imported-user' {
  import type { Schema } from './form/schema.ts'

  /** The schema of a line of an import of users. */
  export const line: Schema
}

declare module '*.css'
declare module '*.svg' {
  const address: string
  export default address
}

declare module 'virtual:setting-labels' {
  /** The labels of a tenant's settings by their names. */
  export const labels: Readonly<Record<string, string>>
  /** The group of each of these settings, in the same order. */
  export const groups: readonly string[]
}

declare module 'virtual:texts-de/*' {
  /** German texts by the keys of the English ones. */
  export const translations: Readonly<Record<string, string>>
}
