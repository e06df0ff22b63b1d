// Composes a queued message: renders its template with the tenant's data and brand.
import type { PagesDocument } from '@bailiwick/contract'
import type { Reader } from '../../../platform/db/database.ts'
import { sql } from '../../../platform/db/sql.ts'
import type { TenantId } from '../../../platform/ids.ts'
import { settingsOf } from '../../../tenancy/auth-configuration/read-settings.ts'
import { readPages } from '../../../tenancy/pages/pages.ts'
import { type TenantRow, findTenantRow } from '../../../tenancy/tenants/find-tenant.ts'
import { presentBrand } from '../../../tenancy/tenants/present.ts'
import type { Deps } from '../../deps.ts'
import type { MessageRow } from '../message-queries.ts'
import type { MessageVariables } from '../messages/queue-message.ts'
import { type MessageContent, openVariables } from '../messages/sealed-messages.ts'
import { builtInMessage } from '../rendering/built-in-texts.ts'
import {
  type DefaultMessageType,
  defaultMessage,
  isDefaultMessageType,
  isSecurityNotice,
  templateSetting,
} from '../rendering/default-messages.ts'
import { TemplateError } from '../rendering/liquid.ts'
import { languageFor, textsIn } from '../rendering/message-texts.ts'
import type { MessageTemplate } from '../rendering/render-message.ts'
import { selectTemplate, selectTemplateByName } from '../template-queries.ts'
import { isAsBorn } from '../templates/default-templates.ts'
import { languageAround, mailPage, wordsFor } from './around-message.ts'
import { mailDocument } from './mail-document.ts'
import { withSecurityLink } from './security-link.ts'
import { type Wording, mayUseOwnTexts, withPlainNames, withoutOwnTexts } from './trusted-wording.ts'

export type ComposeFailure =
  | 'template_missing'
  | 'template_type_mismatch'
  | 'tenant_not_trusted'
  | 'expired'
  | `template_broken: ${string}`

export interface Composed {
  readonly tenantName: string
  readonly templateId: string | null
  readonly content: MessageContent
  /** The subject in the form that may be stored. */
  readonly shownSubject: string | null
}

export interface Found {
  readonly id: string | null
  readonly template: MessageTemplate
  /** The template's language, if it is known. */
  readonly language: string | undefined
  /** Whether it is the service's own wording. */
  readonly isDefault?: boolean
}

interface Wanted {
  readonly channelType: MessageTemplate['type']
  /** The reader's preferred language, if it is known. */
  readonly language: string | undefined
  readonly pages: PagesDocument
  /** Whether a template of the tenant may be used. */
  readonly isOwnAllowed: boolean
}

const templateName = (type: string, channelType: MessageTemplate['type']) =>
  channelType === 'email' ? type : `${type}-${channelType}`

/** Finds the tenant's own template for the type: by its configuration, or else by name. */
async function findOwn(db: Reader, tenant: TenantRow, type: string, channelType: MessageTemplate['type']) {
  const setting = isDefaultMessageType(type) ? templateSetting(type, channelType) : undefined
  const id = setting && (await settingsOf(db, tenant))?.[setting]
  const own = typeof id === 'string' ? await selectTemplate(db, tenant.id, id) : undefined
  return own ?? (await selectTemplateByName(db, tenant.id, templateName(type, channelType)))
}

/** Returns `de-AT`, `de`: the most specific first. */
const withParents = (language: string) => {
  const parts = language.split('-').slice(0, 3)
  return parts.map((_part, index) => parts.slice(0, parts.length - index).join('-'))
}

/** Finds the tenant's template whose name is another one's followed by a language: `welcome.de`, `welcome.pt-BR`. */
async function findTranslated(
  db: Reader,
  tenantId: TenantId,
  name: string,
  wanted: Wanted,
): Promise<Found | undefined> {
  const { language: preferred, pages } = wanted
  for (const language of [preferred, pages.defaultLanguage].flatMap((tag) =>
    tag === undefined ? [] : withParents(tag),
  )) {
    const template = await selectTemplateByName(db, tenantId, `${name}.${language}`)
    if (template?.type === wanted.channelType) return { id: template.id, template, language }
  }
  return undefined
}

/** Returns the service's own wording in the reader's language, with the texts that the tenant has replaced. */
async function findDefault(type: DefaultMessageType, { channelType, language: preferred, pages }: Wanted) {
  const language = languageFor(preferred, pages)
  const texts = await textsIn(language)
  const own = pages.texts[language]
  const template =
    own === undefined ? builtInMessage(type, channelType, texts) : defaultMessage(type, channelType, texts, own)
  return { template, language, isDefault: true }
}

async function findTemplate(
  db: Reader,
  tenant: TenantRow,
  row: MessageRow,
  wanted: Wanted,
): Promise<Found | ComposeFailure> {
  const { channelType } = wanted
  if (!wanted.isOwnAllowed) {
    const { template_type: named } = row
    return named !== null && isDefaultMessageType(named)
      ? { id: null, ...(await findDefault(named, wanted)) }
      : 'tenant_not_trusted'
  }
  if (row.template_type === null) {
    const template = await selectTemplate(db, tenant.id, row.template_id ?? '')
    if (template === undefined) return 'template_missing'
    return template.type === channelType ? { id: template.id, template, language: undefined } : 'template_type_mismatch'
  }
  const type = row.template_type
  const own = await findOwn(db, tenant, type, channelType)
  const name = own?.type === channelType ? own.name : templateName(type, channelType)
  const translated = await findTranslated(db, tenant.id, name, wanted)
  if (translated !== undefined) return translated
  const ownOfType = own?.type === channelType ? own : undefined
  if (ownOfType !== undefined && !isAsBorn(ownOfType))
    return { id: ownOfType.id, template: ownOfType, language: undefined }
  if (!isDefaultMessageType(type)) return 'template_missing'
  return { id: ownOfType?.id ?? null, ...(await findDefault(type, wanted)) }
}

const hidden = '••••••'

/** Replaces codes and links by dots. Missing variables stay empty. */
const withoutSecrets = (variables: object) => ({
  ...variables,
  ...('code' in variables ? { code: hidden } : {}),
  ...('link' in variables ? { link: hidden } : {}),
})

const textOrNull = (value: unknown) => (typeof value === 'string' ? value : null)

interface Rendering {
  readonly tenant: TenantRow
  readonly pages: PagesDocument
  readonly found: Found
  readonly isNotice: boolean
}

async function render(deps: Deps, { tenant, pages, found, isNotice }: Rendering, queued: MessageVariables) {
  const { link, ...rest } = queued
  const securityLink = isNotice ? textOrNull(link) : null
  const own: MessageVariables = securityLink === null ? queued : { ...rest, secured: true }
  const language = languageAround(found, pages)
  const words = await wordsFor(language, own)
  // Callers cannot set the tenant's name and brand.
  const variables = { ...own, ...words, tenant: { name: tenant.name }, brand: presentBrand(tenant) }
  const { shownSubject, ...rendered } = await deps.templatePool.render(tenant.id, {
    template: found.template,
    variables,
    shown: withoutSecrets(variables),
  })
  const said =
    securityLink === null
      ? rendered
      : await withSecurityLink(rendered, securityLink, language, pages.texts[language] ?? {})
  const content: MessageContent = {
    ...said,
    html: said.html === null ? null : mailDocument(said.html, await mailPage(deps, tenant, pages, found, said)),
    code: textOrNull(own.code),
    link: textOrNull(queued.link),
  }
  return { content, shownSubject }
}

/** Returns the language that the user whom a message is for has chosen; it takes precedence over the language of the browser. */
async function readersLocale(db: Reader, { tenant_id: tenantId, user_id: userId }: MessageRow) {
  if (userId === null) return undefined
  const user = await db.first<{ locale: string | null }>(
    sql`SELECT locale FROM users WHERE tenant_id = ${tenantId} AND id = ${userId}`,
  )
  return user?.locale ?? undefined
}

/** @throws RenderError for failures that are not the template's fault and can be retried. */
export async function composeMessage(
  deps: Deps,
  row: MessageRow,
  wording: Wording,
): Promise<Composed | ComposeFailure> {
  const { db, sealer } = deps
  if (row.sealed_variables === null) return 'expired'
  const tenant = await findTenantRow(db, row.tenant_id)
  if (tenant === undefined) return 'template_missing'
  const opened = openVariables(sealer, row, row.sealed_variables)
  const variables = wording === 'own' ? opened : withPlainNames(opened, tenant.name)
  const locale = row.template_type === null ? undefined : await readersLocale(db, row)
  const language = locale ?? textOrNull(variables.language) ?? undefined
  const isOwnAllowed = mayUseOwnTexts(wording, tenant)
  const ownPages = await readPages(db, tenant)
  const pages = isOwnAllowed ? ownPages : withoutOwnTexts(ownPages)
  const wanted = { channelType: row.channel_type, language, pages, isOwnAllowed }
  const found = await findTemplate(db, tenant, row, wanted)
  if (typeof found === 'string') return found
  try {
    const isNotice = isSecurityNotice(row.template_type)
    const rendered = await render(deps, { tenant, pages, found, isNotice }, variables)
    return { templateId: found.id, tenantName: tenant.name, ...rendered }
  } catch (error) {
    if (error instanceof TemplateError) return `template_broken: ${error.message}`
    throw error
  }
}
