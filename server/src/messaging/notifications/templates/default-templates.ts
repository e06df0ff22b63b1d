// The message templates that every new tenant gets. Liquid; docs/messages.md lists the placeholders.
import type { TenantDefaults } from '../../../platform/feature.ts'
import { type TenantId, newId } from '../../../platform/ids.ts'
import type { Deps } from '../../deps.ts'
import { type TemplateSetting, configuredTypes, defaultMessage } from '../rendering/default-messages.ts'
import { templates as table } from '../tables.ts'

interface DefaultTemplate {
  /** The setting of the authentication configuration that refers to it. */
  readonly setting: TemplateSetting
  readonly type: 'email' | 'sms'
  readonly name: string
  readonly subject: string | null
  readonly body: string
}

export const templates: readonly DefaultTemplate[] = configuredTypes.flatMap(({ type, settings }) =>
  (['email', 'sms'] as const).map((channel): DefaultTemplate => {
    const { subject, body } = defaultMessage(type, channel)
    const name = channel === 'email' ? type : `${type}-${channel}`
    return { setting: settings[channel], type: channel, name, subject, body }
  }),
)

const greeting = '<p>Hello{% if user.name %} {{ user.name }}{% endif %},</p>'
const ignore = '<p>If this was not you, you can ignore this message.</p>'
const expiry = 'It is valid for {{ expiresInMinutes }} minutes.'

/** The templates of earlier versions; rows with these texts were never edited. */
const earlier: readonly Pick<DefaultTemplate, 'subject' | 'body'>[] = [
  {
    subject: '{{ code }} is your code for {{ tenant.name }}',
    body: `${greeting}\n<p>Your code is <strong>{{ code }}</strong>. ${expiry}</p>\n${ignore}`,
  },
  {
    subject: null,
    body: `{{ code }} is your code for {{ tenant.name }}. ${expiry}`,
  },
  {
    subject: 'Sign in to {{ tenant.name }}',
    body: `${greeting}\n<p><a href="{{ link }}">Sign in to {{ tenant.name }}</a>. ${expiry}</p>\n${ignore}`,
  },
  {
    subject: null,
    body: `Sign in to {{ tenant.name }}: {{ link }} ${expiry}`,
  },
  {
    subject: 'Welcome to {{ tenant.name }}',
    body: `${greeting}\n<p>Welcome to {{ tenant.name }}. Your account is ready.</p>`,
  },
  {
    subject: null,
    body: 'Welcome to {{ tenant.name }}. Your account is ready.',
  },
]

const wordingOf = ({ subject, body }: Pick<DefaultTemplate, 'subject' | 'body'>) => JSON.stringify([subject, body])
const asBorn = new Set([...templates, ...earlier].map(wordingOf))

/** Whether a tenant has never edited a template, so that messages may use the same wording in the reader's language. */
export const isAsBorn = (template: Pick<DefaultTemplate, 'subject' | 'body'>): boolean =>
  asBorn.has(wordingOf(template))

const countOf = (wanted: DefaultTemplate['type']) => templates.filter(({ type }) => type === wanted).length

/** Returns the templates, and the settings that refer to them. */
export function defaultTemplates({ clock }: Pick<Deps, 'clock'>, tenantId: TenantId): TenantDefaults {
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
