import { CreateResource } from '@bailiwick/contract'
import { fieldsOf } from '../../platform/db/accepted.ts'
import { integer, json, many, record, text } from '../../platform/db/columns.ts'
import { table } from '../../platform/db/table.ts'
import type { ResourceId } from '../../platform/ids.ts'

export interface ResourceScope {
  readonly name: string
  readonly description: string | null
}

/** What applications call with their tokens, each identified by its resource indicator (RFC 8707). */
export const resources = table(
  'resources',
  {
    ...record<ResourceId>(),
    ...many(text(), 'indicator', 'name'),
    scopes: json<readonly ResourceScope[]>(),
    /** Null means the application's own setting. */
    access_token_format: text<'jwt' | 'opaque'>().nullable(),
    access_token_ttl: integer().nullable(),
  },
  {
    refusals: { resources_indicator_key: 'resource_indicator_taken' },
    counted: [{ counter: 'resources' }],
    accepts: fieldsOf(CreateResource),
  },
)
