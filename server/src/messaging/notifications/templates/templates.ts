import type {
  ChannelType,
  CreateTemplate,
  EventDataByType,
  EventType,
  Issue,
  PreviewTemplate,
  Template,
  UpdateTemplate,
} from '@bailiwick/contract'
import { addToCounters, sumOfCounter } from '../../../platform/db/counters.ts'
import { eventStatement } from '../../../platform/events/append.ts'
import { ApiError, invalid, notFound } from '../../../platform/http/api-error.ts'
import { type RecordBasis, assertUnchanged } from '../../../platform/http/change-basis.ts'
import type { Actor, Caller } from '../../../platform/http/credentials/principal.ts'
import { type PageQuery, pageEnvelope, pageRequest, selectPageAndTotal } from '../../../platform/http/lists/page.ts'
import { type TenantId, newId } from '../../../platform/ids.ts'
import { presentBrand } from '../../../tenancy/tenants/present.ts'
import { getTenant } from '../../../tenancy/tenants/tenants.ts'
import type { Deps } from '../../deps.ts'
import { assertSameType } from '../channels/channels.ts'
import { isReferredTo } from '../channels/configuration-references.ts'
import type { TemplatePart } from '../rendering/limits.ts'
import { TemplateError } from '../rendering/liquid.ts'
import { RenderError } from '../rendering/render-error.ts'
import { templateCounter } from '../tables.ts'
import * as queries from '../template-queries.ts'
import { assertMayWriteTemplates } from './secret-templates.ts'

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

/** Long enough for a running template to end, or to be ended. */
const retryAfterSecondsMin = 5

/** Returns the error that the caller may see. */
function apiErrorOf(error: unknown): unknown {
  if (!(error instanceof RenderError)) return error
  const retryAfterSeconds = Math.max(retryAfterSecondsMin, Math.ceil(error.waitMs / 1000))
  switch (error.code) {
    case 'owner_busy':
      return new ApiError('rate_limited', { cause: error, detail: error.message, retryAfterSeconds })
    case 'busy':
    case 'lost':
    case 'closed':
      return new ApiError('unavailable', { cause: error, retryAfterSeconds })
    case 'bug':
      return error
  }
}

/** @throws ApiError validation_failed if a part is not valid Liquid; rate_limited, unavailable */
async function checkTemplate({ templatePool }: Deps, tenantId: TenantId, parts: Partial<Record<TemplatePart, string>>) {
  const problems = await templatePool.check(tenantId, parts).catch((error: unknown) => {
    throw apiErrorOf(error)
  })
  const issues = problems.map(({ part, reason }): Issue => ({
    path: `/${part ?? ''}`,
    code: 'invalid_template',
    message: reason,
  }))
  if (issues.length > 0) throw new ApiError('validation_failed', { issues })
}

export const templateEvent = <Type extends Extract<EventType, `template.${string}`>>(
  { clock, personal }: Deps,
  type: Type,
  row: queries.TemplateRow,
  actor: Actor,
  data: EventDataByType[Type],
) => eventStatement(clock, personal, { tenantId: row.tenant_id, type, actor, subjectId: row.id, data })

export const described = ({ name, type, subject, body }: queries.TemplateRow) => ({ name, type, subject, body })

/** @throws ApiError not_found, template_name_taken, forbidden as `assertMayWriteTemplates`; validation_failed for invalid Liquid. */
export async function createTemplate(
  deps: Deps,
  tenantId: TenantId,
  input: Omit<CreateTemplate, 'tenantId'>,
  { principal, actor }: Caller,
) {
  await getTenant(deps, tenantId)
  const { db, clock } = deps
  const subject = input.subject ?? null
  await checkTemplate(deps, tenantId, { subject: subject ?? '', body: input.body })
  const id = newId<'TemplateId'>()
  return db.transaction(async (tx) => {
    const { type, name, body } = input
    await assertMayWriteTemplates(principal, tx, tenantId, [{ id: undefined, names: [name] }])
    const at = clock.next()
    const row = { tenant_id: tenantId, id, type, name, subject, body, created_at: at, updated_at: at }
    await tx.run(queries.insertTemplate(row))
    await tx.run(addToCounters(tx, tenantId, { templates: 1, [templateCounter(type)]: 1 }))
    await tx.run(templateEvent(deps, 'template.created', row, actor, { after: described(row) }))
    return presentTemplate(row)
  })
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
  const { page, total } = await selectPageAndTotal(
    deps.db,
    queries.templateSource(tenantId, query.type),
    sumOfCounter(tenantId, counter),
    request,
  )
  return pageEnvelope(page, page.rows.map(presentTemplate), total, request.perPage)
}

/** @throws ApiError not_found */
export async function getTemplate({ db }: Deps, tenantId: TenantId, id: string) {
  const row = await queries.selectTemplate(db, tenantId, id)
  if (row === undefined) throw notFound()
  return presentTemplate(row)
}

/** @throws ApiError not_found, template_name_taken, forbidden as `assertMayWriteTemplates`; validation_failed for invalid Liquid. */
export async function updateTemplate(
  deps: Deps,
  tenantId: TenantId,
  id: string,
  input: UpdateTemplate,
  { principal, actor }: Caller,
  basis: RecordBasis = {},
) {
  const { db, clock } = deps
  // Checked before the transaction, which must not wait for another process.
  if ((await queries.selectTemplate(db, tenantId, id)) === undefined) throw notFound()
  await checkTemplate(deps, tenantId, {
    ...(typeof input.subject === 'string' ? { subject: input.subject } : {}),
    ...(input.body === undefined ? {} : { body: input.body }),
  })
  return db.transaction(async (tx) => {
    const named = (await queries.selectTemplate(tx, tenantId, id))?.name
    const names = [named, input.name].filter((name) => name !== undefined)
    await assertMayWriteTemplates(principal, tx, tenantId, [{ id, names }])
    const before = await queries.selectTemplateForUpdate(tx, tenantId, id)
    if (before === undefined) throw notFound()
    assertUnchanged(before, basis)
    assertSameType(before.type, input.type)
    const after: queries.TemplateRow = {
      ...before,
      name: input.name ?? before.name,
      subject: input.subject === undefined ? before.subject : input.subject,
      body: input.body ?? before.body,
      updated_at: clock.now(),
    }
    await tx.run(queries.updateTemplate(after))
    await tx.run(
      templateEvent(deps, 'template.updated', after, actor, { before: described(before), after: described(after) }),
    )
    return presentTemplate(after)
  })
}

/** @throws ApiError not_found; template_in_use while the authentication configuration refers to it. */
export async function deleteTemplate(deps: Deps, tenantId: TenantId, id: string, actor: Actor) {
  return deps.db.transaction(async (tx) => {
    const isInUse = await isReferredTo(tx, tenantId, id)
    const row = await queries.selectTemplateForUpdate(tx, tenantId, id)
    if (row === undefined) throw notFound()
    if (isInUse) throw new ApiError('template_in_use')
    await tx.run(queries.deleteTemplate(tenantId, id))
    await tx.run(addToCounters(tx, tenantId, { templates: -1, [templateCounter(row.type)]: -1 }))
    await tx.run(templateEvent(deps, 'template.deleted', row, actor, { before: described(row) }))
    return presentTemplate(row)
  })
}

/**
 * Renders a message with the given variables, and sample ones for the rest.
 * @throws ApiError not_found; validation_failed if the template exceeds a limit; rate_limited, unavailable
 */
export async function previewTemplate(deps: Deps, tenantId: TenantId, id: string, preview: PreviewTemplate) {
  const { row: tenant } = await getTenant(deps, tenantId)
  const { variables, ...draft } = preview
  const saved = await queries.selectTemplate(deps.db, tenantId, id)
  if (saved === undefined) throw notFound()
  const template = { ...saved, ...draft }
  const sample = {
    code: '123456',
    link: 'https://example.com/verify',
    expiresInMinutes: 10,
    expiresIn: '10 minutes',
    user: { name: 'Ada' },
    language: 'en',
    tenant: { name: tenant.name },
    brand: presentBrand(tenant),
  }
  try {
    const order = { template, variables: { ...sample, ...variables } }
    const { subject, html, text } = await deps.templatePool.render(tenantId, order)
    return { subject, html, text }
  } catch (error) {
    if (!(error instanceof TemplateError)) throw apiErrorOf(error)
    throw invalid('/variables', 'invalid_template', `cannot be rendered: ${error.message}`)
  }
}
