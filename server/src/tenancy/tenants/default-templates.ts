// The message templates that a tenant is born with. Liquid; docs/messages.md lists the placeholders.
import type { TenantAuthSettings } from '@bailiwick/contract'

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

export const defaultTemplates: readonly DefaultTemplate[] = [
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
