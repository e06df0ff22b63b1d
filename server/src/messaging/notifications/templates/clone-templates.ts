// Copies templates from one tenant to another, for example from staging to production.
import { type CloneTemplates, type ClonedTemplates, type Issue, cloneTemplatesMax } from '@bailiwick/contract'
import { addToCounters } from '../../../platform/db/counters.ts'
import type { Reader, Transaction } from '../../../platform/db/database.ts'
import { ApiError, invalid } from '../../../platform/http/api-error.ts'
import type { Actor, Caller } from '../../../platform/http/credentials/principal.ts'
import { type TenantId, newId } from '../../../platform/ids.ts'
import { getTenant } from '../../../tenancy/tenants/tenants.ts'
import type { Deps } from '../../deps.ts'
import { templateCounter } from '../tables.ts'
import * as queries from '../template-queries.ts'
import { assertMayWriteTemplates } from './secret-templates.ts'
import { described, templateEvent } from './templates.ts'

type Cloned = ClonedTemplates['templates'][number]

/** @throws ApiError validation_failed for unknown template names, and if there are too many templates to copy. */
async function selectSources(tx: Reader, tenantId: TenantId, wanted: readonly string[] | undefined) {
  const limit = cloneTemplatesMax + 1
  const sources =
    wanted === undefined
      ? await queries.selectTemplates(tx, tenantId, limit)
      : await queries.selectTemplatesNamed(tx, tenantId, wanted, limit)
  const known = new Set(sources.flatMap(({ id, name }): string[] => [id, name]))
  const issues = (wanted ?? []).flatMap((each, index): Issue[] =>
    known.has(each)
      ? []
      : [{ path: `/templates/${index}`, code: 'unknown_reference', message: 'is not a template of the tenant' }],
  )
  if (sources.length > cloneTemplatesMax) {
    throw invalid(
      '/templates',
      'too_many',
      `must name at most ${cloneTemplatesMax} templates, because the tenant has more`,
    )
  }
  if (issues.length > 0) throw new ApiError('validation_failed', { issues })
  return sources
}

interface Copying {
  readonly source: queries.TemplateRow
  /** Returns the other tenant's templates with these names. */
  readonly there: queries.TemplateRow | undefined
  readonly toTenantId: TenantId
  readonly overwrite: boolean
  readonly actor: Actor
}

async function copyOne(deps: Deps, tx: Transaction, { source, there, toTenantId, overwrite, actor }: Copying) {
  const { type, name, subject, body } = source
  const cloned = (id: string, outcome: Cloned['outcome']): Cloned => ({ id, name, type: there?.type ?? type, outcome })
  const at = deps.clock.now()
  if (there === undefined) {
    const id = newId<'TemplateId'>()
    const row = { tenant_id: toTenantId, id, type, name, subject, body, created_at: at, updated_at: at }
    await tx.run(queries.insertTemplate(row))
    await tx.run(addToCounters(tx, toTenantId, { templates: 1, [templateCounter(type)]: 1 }))
    const data = { after: described(row), copiedFrom: source.id }
    await tx.run(templateEvent(deps, 'template.created', row, actor, data))
    return cloned(id, 'created')
  }
  if (there.type === type && there.subject === subject && there.body === body) return cloned(there.id, 'unchanged')
  if (!overwrite || there.type !== type) return cloned(there.id, 'skipped')
  const row = { ...there, subject, body, updated_at: at }
  await tx.run(queries.updateTemplate(row))
  const data = { before: described(there), after: described(row), copiedFrom: source.id }
  await tx.run(templateEvent(deps, 'template.updated', row, actor, data))
  return cloned(there.id, 'overwritten')
}

/**
 * Copies all templates of a tenant, or the named ones: all of them or none.
 * @throws ApiError not_found, forbidden as `assertMayWriteTemplates`, template_name_taken if somebody creates one with the same name meanwhile; validation_failed
 */
export async function cloneTemplates(
  deps: Deps,
  tenantId: TenantId,
  toTenantId: TenantId,
  { templates: wanted, overwrite = false }: Pick<CloneTemplates, 'templates' | 'overwrite'>,
  { principal, actor }: Caller,
): Promise<ClonedTemplates> {
  await Promise.all([getTenant(deps, tenantId), getTenant(deps, toTenantId)])
  return deps.db.transaction(async (tx) => {
    const sources = await selectSources(tx, tenantId, wanted)
    if (sources.length === 0) return { templates: [] }
    const names = sources.map(({ name }) => name)
    await assertMayWriteTemplates(principal, tx, toTenantId, [{ id: undefined, names }])
    const existing = await queries.selectTemplatesByNameForUpdate(tx, toTenantId, names)
    const byName = new Map(existing.map((row) => [row.name, row]))
    const templates: Cloned[] = []
    for (const source of sources) {
      const there = byName.get(source.name)
      templates.push(await copyOne(deps, tx, { source, there, toTenantId, overwrite, actor }))
    }
    return { templates }
  })
}
