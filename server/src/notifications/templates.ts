import type { ChannelType, CreateTemplate, Issue, Template, UpdateTemplate } from '@bailiwick/contract'
import { addToCounters, readCounters } from '../db/counters.ts'
import type { Deps } from '../deps.ts'
import { eventStatement } from '../events/append.ts'
import { ApiError, invalid, notFound } from '../http/api-error.ts'
import { type PageQuery, pageEnvelope, pageRequest, selectPage } from '../http/page.ts'
import type { Actor } from '../http/principal.ts'
import { type TenantId, newId } from '../ids.ts'
import { presentBrand } from '../tenants/present.ts'
import { getTenant } from '../tenants/tenants.ts'
import { isReferredTo } from './configuration-references.ts'
import { TemplateError, checkLiquid } from './liquid.ts'
import { renderMessage } from './render-message.ts'
import * as queries from './template-queries.ts'

const presentTemplate = (row: queries.TemplateRow): Template => ({
  id: row.id,
  tenantId: row.tenant_id,
  type: row.type,
  name: row.name,
  subject: row.subject,
  body: row.body,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

const templateCounter = (type: ChannelType) => `templates:${type}`

/** @throws ApiError validation_failed where subject or body is no Liquid. */
function checkTemplate(parts: { readonly subject: string | null; readonly body: string }) {
  const issues: Issue[] = []
  for (const name of ['subject', 'body'] as const) {
    try {
      checkLiquid(parts[name] ?? '')
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error
      issues.push({ path: `/${name}`, code: 'invalid_template', message: `is no Liquid: ${error.message}` })
    }
  }
  if (issues.length > 0) throw new ApiError('validation_failed', { issues })
}

function event({ clock, personal }: Deps, verb: string, row: queries.TemplateRow, actor: Actor, data: object) {
  return eventStatement(clock, personal, {
    tenantId: row.tenant_id,
    type: `template.${verb}`,
    actor,
    subject: { type: 'template', id: row.id },
    data: { ...data },
  })
}

const described = ({ name, type, subject, body }: queries.TemplateRow) => ({ name, type, subject, body })

/** @throws ApiError not_found, template_name_taken; validation_failed for what is no Liquid. */
export async function createTemplate(
  deps: Deps,
  tenantId: TenantId,
  input: Omit<CreateTemplate, 'tenantId'>,
  actor: Actor,
) {
  await getTenant(deps, tenantId)
  const { db, clock } = deps
  const subject = input.subject ?? null
  checkTemplate({ subject, body: input.body })
  const id = newId<'TemplateId'>()
  let row: queries.TemplateRow | undefined
  await db.write((context) => {
    const at = clock.next()
    const { type, name, body } = input
    row = { tenant_id: tenantId, id, type, name, subject, body, created_at: at, updated_at: at }
    return [
      queries.insertTemplate(row),
      addToCounters(context, tenantId, { templates: 1, [templateCounter(type)]: 1 }),
      event(deps, 'created', row, actor, { after: described(row) }),
    ]
  })
  if (row === undefined) throw new Error('a write resolved without building its statements')
  return presentTemplate(row)
}

/** @throws ApiError not_found */
export async function listTemplates(
  deps: Deps,
  tenantId: TenantId,
  query: PageQuery & { readonly type?: ChannelType },
) {
  await getTenant(deps, tenantId)
  const request = pageRequest(query)
  const counter = query.type === undefined ? 'templates' : templateCounter(query.type)
  const [page, counters] = await Promise.all([
    selectPage<queries.TemplateRow>(deps.db, queries.templateSource(tenantId, query.type), request),
    readCounters(deps.db, tenantId, [counter]),
  ])
  return pageEnvelope(page, page.rows.map(presentTemplate), counters.get(counter) ?? 0, request.perPage)
}

/** @throws ApiError not_found */
export async function getTemplate({ db }: Deps, tenantId: TenantId, id: string) {
  const row = await queries.selectTemplate(db, tenantId, id)
  if (row === undefined) throw notFound()
  return presentTemplate(row)
}

/** @throws ApiError not_found, template_name_taken; validation_failed for what is no Liquid. */
export async function updateTemplate(deps: Deps, tenantId: TenantId, id: string, input: UpdateTemplate, actor: Actor) {
  const { db, clock } = deps
  return db.transaction(async (tx) => {
    const before = await queries.selectTemplateForUpdate(tx, tenantId, id)
    if (before === undefined) throw notFound()
    const after: queries.TemplateRow = {
      ...before,
      name: input.name ?? before.name,
      subject: input.subject === undefined ? before.subject : input.subject,
      body: input.body ?? before.body,
      updated_at: clock.now(),
    }
    checkTemplate(after)
    await tx.run(queries.updateTemplate(after))
    await tx.run(event(deps, 'updated', after, actor, { before: described(before), after: described(after) }))
    return presentTemplate(after)
  })
}

/** @throws ApiError not_found; template_in_use while the authentication configuration points to it. */
export async function deleteTemplate(deps: Deps, tenantId: TenantId, id: string, actor: Actor) {
  return deps.db.transaction(async (tx) => {
    const isInUse = await isReferredTo(tx, tenantId, id)
    const row = await queries.selectTemplateForUpdate(tx, tenantId, id)
    if (row === undefined) throw notFound()
    if (isInUse) throw new ApiError('template_in_use')
    await tx.run(queries.deleteTemplate(tenantId, id))
    await tx.run(addToCounters(tx, tenantId, { templates: -1, [templateCounter(row.type)]: -1 }))
    await tx.run(event(deps, 'deleted', row, actor, { before: described(row) }))
    return presentTemplate(row)
  })
}

/**
 * What a message would say: the given variables over sample ones.
 * @throws ApiError not_found; validation_failed where the template goes over a limit.
 */
export async function previewTemplate(deps: Deps, tenantId: TenantId, id: string, variables: object) {
  const { row: tenant } = await getTenant(deps, tenantId)
  const template = await queries.selectTemplate(deps.db, tenantId, id)
  if (template === undefined) throw notFound()
  const sample = {
    code: '123456',
    link: 'https://example.com/verify',
    expiresInMinutes: 10,
    user: { name: 'Ada' },
    language: 'en',
    tenant: { name: tenant.name },
    brand: presentBrand(tenant),
  }
  try {
    return renderMessage(template, { ...sample, ...variables })
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    throw invalid('/variables', 'invalid_template', `cannot be rendered: ${error.message}`)
  }
}
