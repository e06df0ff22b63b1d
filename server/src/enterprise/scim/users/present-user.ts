import { fromJson } from '../../../platform/json-text.ts'
import type { ScimPlace } from '../place.ts'
import { userType } from '../protocol/attributes.ts'
import type { Json } from '../protocol/json.ts'
import type { Wanted } from '../protocol/list.ts'
import { presentResource } from '../protocol/present.ts'
import type { UserRow } from '../queries.ts'

export const etag = ({ version }: { readonly version: number }) => `W/"${version}"`

export const presentUser = ({ base }: Pick<ScimPlace, 'base'>, row: UserRow, wanted: Wanted): Json =>
  presentResource(
    userType,
    {
      id: row.id,
      attributes: fromJson(row.attributes),
      own: { active: row.active === 1 },
      location: `${base}/Users/${row.id}`,
      version: etag(row),
      created: row.created_at,
      lastModified: row.updated_at,
    },
    wanted,
  )
