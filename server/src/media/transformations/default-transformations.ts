// The transformations that every new tenant gets. Icons and logos are shown through them: see tenancy/tenants/shown-address.ts.
import { sql } from '../../platform/db/sql.ts'
import { type TenantId, newId } from '../../platform/ids.ts'
import type { TenantDefaults } from '../../tenancy/tenants/tenant-defaults.ts'
import type { Deps } from '../deps.ts'

const transformations = [
  { name: 'avatar', description: 'A square picture of a person', side: 256, mode: 'crop' },
  { name: 'thumbnail', description: 'A small picture for lists', side: 400, mode: 'maximum' },
  { name: 'original', description: 'The picture in its own size', side: 0, mode: 'maximum' },
]

export function defaultTransformations({ clock }: Pick<Deps, 'clock'>, tenantId: TenantId): TenantDefaults {
  const rows = transformations.map(({ name, description, side, mode }) => {
    const at = clock.next()
    return [tenantId, newId(), name, description, 'auto', 80, 6, side, side, mode, '[]', at, at]
  })
  const statement = sql`INSERT INTO transformations
    (tenant_id, id, name, description, output_format, output_quality, output_compression, output_width, output_height,
     output_resize_mode, steps, created_at, updated_at) ${sql.values(rows)}`
  return { statements: [statement], counts: { transformations: transformations.length } }
}
