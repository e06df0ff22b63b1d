// The message templates that every new tenant gets. Liquid; docs/messages.md lists the placeholders.
import type { TenantAuthSettings } from '@bailiwick/contract'
import { type TenantId, newId } from '../../platform/ids.ts'
import { templates as table } from './tables.ts'
import type { TenantDefaults } from '../../tenancy/tenants/tenant-defaults.ts'
import type { Deps } from '../deps.ts'

interface DefaultTemplate {
  /** The setting of the authentication configuration that points to it. */
  readonly setting: {
    [K in keyof TenantAuthSettings]: K extends `${string}TemplateId` ? K : never
  }[keyof TenantAuthSettings]
  readonly type: 'email' | 'sms'
  readonly name: string
  readonly subject: string | null
  readonly body: string
}

const greeting = '<p>Hello{% if user.name %} {{ user.name }}{% endif %},</p>'
const ignore = '<p>If this was not you, you can ignore this message.</p>'
const expiry = 'It is valid for {{ expiresInMinutes }} minutes.'

export const templates: readonly DefaultTemplate[] = [
  {
    setting: 'codeVerificationEmailTemplateId',
    type: 'email',
    name: 'verification-code',
    subject: '{{ code }} is your code for {{ tenant.name }}',
    body: `${greeting}\n<p>Your code is <strong>{{ code }}</strong>. ${expiry}</p>\n${ignore}`,
  },
  {
    setting: 'codeVerificationSMSMessageTemplateId',
    type: 'sms',
    name: 'verification-code-sms',
    subject: null,
    body: `{{ code }} is your code for {{ tenant.name }}. ${expiry}`,
  },
  {
    setting: 'magicLinkEmailTemplateId',
    type: 'email',
    name: 'magic-link',
    subject: 'Sign in to {{ tenant.name }}',
    body: `${greeting}\n<p><a href="{{ link }}">Sign in to {{ tenant.name }}</a>. ${expiry}</p>\n${ignore}`,
  },
  {
    setting: 'magicLinkSMSMessageTemplateId',
    type: 'sms',
    name: 'magic-link-sms',
    subject: null,
    body: `Sign in to {{ tenant.name }}: {{ link }} ${expiry}`,
  },
  {
    setting: 'welcomeEmailTemplateId',
    type: 'email',
    name: 'welcome',
    subject: 'Welcome to {{ tenant.name }}',
    body: `${greeting}\n<p>Welcome to {{ tenant.name }}. Your account is ready.</p>`,
  },
  {
    setting: 'welcomeSMSMessageTemplateId',
    type: 'sms',
    name: 'welcome-sms',
    subject: null,
    body: 'Welcome to {{ tenant.name }}. Your account is ready.',
  },
]

const countOf = (wanted: DefaultTemplate['type']) => templates.filter(({ type }) => type === wanted).length

/** The templates, and the settings that point to them. */
export function defaultTemplates(
  { clock }: Pick<Deps, 'clock'>,
  tenantId: TenantId,
): TenantDefaults & { readonly settings: Partial<TenantAuthSettings> } {
  const settings: Partial<Record<DefaultTemplate['setting'], string>> = {}
  const rows = templates.map(({ setting, type, name, subject, body }) => {
    const at = clock.next()
    const id = newId<'TemplateId'>()
    settings[setting] = id
    return { tenant_id: tenantId, id, type, name, subject, body, created_at: at, updated_at: at }
  })
  const counts = { templates: rows.length, 'templates:email': countOf('email'), 'templates:sms': countOf('sms') }
  return { statements: [table.insertAll(rows)], counts, settings }
}
