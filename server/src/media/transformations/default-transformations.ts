// The transformations that every new tenant gets. Icons and logos are shown with them: see tenancy/tenants/shown-address.ts.
import type { TenantDefaults } from '../../platform/feature.ts'
import { type TenantId, newId } from '../../platform/ids.ts'
import { toJson } from '../../platform/json-text.ts'
import type { Deps } from '../deps.ts'
import { transformations } from './tables.ts'

const defaults = [
  { name: 'avatar', description: 'A square picture of a person', side: 256, mode: 'crop' },
  { name: 'thumbnail', description: 'A small picture for lists', side: 400, mode: 'maximum' },
  { name: 'original', description: 'The picture in its own size', side: 0, mode: 'maximum' },
] as const

export function defaultTransformations({ clock }: Pick<Deps, 'clock'>, tenantId: TenantId): TenantDefaults {
  const rows = defaults.map(({ name, description, side, mode }) => {
    const at = clock.next()
    return {
      tenant_id: tenantId,
      id: newId<'TransformationId'>(),
      name,
      description,
      output_format: 'auto' as const,
      output_quality: 80,
      output_compression: 6,
      output_width: side,
      output_height: side,
      output_resize_mode: mode,
      steps: toJson([]),
      created_at: at,
      updated_at: at,
    }
  })
  return { statements: [transformations.insertAll(rows)], counts: { transformations: rows.length } }
}
