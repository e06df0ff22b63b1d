// What messages say where the tenant has no template of its own. Liquid; a tenant's template of the same name goes first.
import type { ChannelType, TenantAuthSettings } from '@bailiwick/contract'
import { templates } from './default-templates.ts'
import type { MessageTemplate } from './rendering/render-message.ts'

type Wording = Pick<MessageTemplate, 'subject' | 'body'>
type TemplateSetting = Extract<keyof TenantAuthSettings, `${string}TemplateId`>

interface DefaultMessage {
  readonly email: Wording
  /** For every channel of plain text. */
  readonly text: Wording
  /** The settings of the authentication configuration that name the tenant's own templates. */
  readonly settings?: { readonly email: TemplateSetting; readonly sms: TemplateSetting }
}

function ofDefaultTemplates(email: TemplateSetting, sms: TemplateSetting): DefaultMessage {
  const wording = (setting: TemplateSetting): Wording => {
    const template = templates.find((each) => each.setting === setting)
    if (template === undefined) throw new Error(`there is no default template for ${setting}`)
    return template
  }
  return { email: wording(email), text: wording(sms), settings: { email, sms } }
}

const greeting = '<p>Hello{% if user.name %} {{ user.name }}{% endif %},</p>'
const ignore = '<p>If you did not ask for this, you can ignore this message.</p>'
const warning = 'If this was not you, reset your password and tell the administrator of {{ tenant.name }}.'
const expiry = 'It is valid for {{ expiresInMinutes }} minutes.'

/** A link, a code or both, as the variables have it. */
const linkOr = (action: string) =>
  `{% if link %}<p><a href="{{ link }}">${action}</a></p>{% endif %}` +
  `{% if code %}<p>Your code is <strong>{{ code }}</strong>.</p>{% endif %}`
const by = '{% if inviter.name %}{{ inviter.name }} has invited you{% else %}You are invited{% endif %}'
const textEnd = '{% if code %} Your code is {{ code }}.{% endif %}{% if link %} {{ link }}{% endif %}'

export const defaultMessages = {
  'verification-code': ofDefaultTemplates('codeVerificationEmailTemplateId', 'codeVerificationSMSMessageTemplateId'),
  'magic-link': ofDefaultTemplates('magicLinkEmailTemplateId', 'magicLinkSMSMessageTemplateId'),
  welcome: ofDefaultTemplates('welcomeEmailTemplateId', 'welcomeSMSMessageTemplateId'),
  'password-reset': {
    email: {
      subject: 'Reset your password for {{ tenant.name }}',
      body: `${greeting}\n${linkOr('Choose a new password')}\n<p>${expiry}</p>\n${ignore}`,
    },
    text: { subject: null, body: `Reset your password for {{ tenant.name }}.${textEnd} ${expiry}` },
  },
  'organization-invitation': {
    email: {
      subject: 'You are invited to {{ organization.name }}',
      body: `${greeting}\n<p>${by} to join {{ organization.name }} at {{ tenant.name }}.</p>\n${linkOr('Accept the invitation')}\n${ignore}`,
    },
    text: { subject: null, body: `${by} to join {{ organization.name }} at {{ tenant.name }}.${textEnd}` },
  },
  'tenant-invitation': {
    email: {
      subject: 'You are invited to administer {{ invitation.tenantName }}',
      body: `${greeting}\n<p>${by} to administer {{ invitation.tenantName }}.</p>\n${linkOr('Accept the invitation')}\n${ignore}`,
    },
    text: { subject: null, body: `${by} to administer {{ invitation.tenantName }}.${textEnd}` },
  },
  'account-exists': {
    email: {
      subject: 'You have an account at {{ tenant.name }} already',
      body: `${greeting}\n<p>Somebody, perhaps you, tried to sign up at {{ tenant.name }} with this address. You have an account already: sign in, or reset your password.</p>\n${ignore}`,
    },
    text: { subject: null, body: 'You have an account at {{ tenant.name }} already: sign in, or reset your password.' },
  },
  'password-changed': {
    email: {
      subject: 'Your password for {{ tenant.name }} was changed',
      body: `${greeting}\n<p>Your password for {{ tenant.name }} was changed. ${warning}</p>`,
    },
    text: { subject: null, body: `Your password for {{ tenant.name }} was changed. ${warning}` },
  },
  'email-changed': {
    email: {
      subject: 'Your e-mail addresses at {{ tenant.name }} were changed',
      body: `${greeting}\n<p>The e-mail addresses of your account at {{ tenant.name }} were changed. ${warning}</p>`,
    },
    text: { subject: null, body: `The e-mail addresses of your account at {{ tenant.name }} were changed. ${warning}` },
  },
  'factor-added': {
    email: {
      subject: 'Your account at {{ tenant.name }} has a new way to sign in',
      body: `${greeting}\n<p>{{ factor }} was added to your account at {{ tenant.name }}. ${warning}</p>`,
    },
    text: { subject: null, body: `{{ factor }} was added to your account at {{ tenant.name }}. ${warning}` },
  },
  'factor-removed': {
    email: {
      subject: 'Your account at {{ tenant.name }} has lost a way to sign in',
      body: `${greeting}\n<p>{{ factor }} was removed from your account at {{ tenant.name }}. ${warning}</p>`,
    },
    text: { subject: null, body: `{{ factor }} was removed from your account at {{ tenant.name }}. ${warning}` },
  },
  'recovery-code-used': {
    email: {
      subject: 'A recovery code was used to sign in at {{ tenant.name }}',
      body: `${greeting}\n<p>A recovery code of your account at {{ tenant.name }} was used; {{ left }} are left. ${warning}</p>`,
    },
    text: {
      subject: null,
      body: `A recovery code of your account at {{ tenant.name }} was used; {{ left }} are left. ${warning}`,
    },
  },
  'phone-changed': {
    email: {
      subject: 'Your phone numbers at {{ tenant.name }} were changed',
      body: `${greeting}\n<p>The phone numbers of your account at {{ tenant.name }} were changed. ${warning}</p>`,
    },
    text: { subject: null, body: `The phone numbers of your account at {{ tenant.name }} were changed. ${warning}` },
  },
} as const satisfies Readonly<Record<string, DefaultMessage>>

/** What a message is for, as templates are named. */
export type DefaultMessageType = keyof typeof defaultMessages

export const isDefaultMessageType = (type: string): type is DefaultMessageType => Object.hasOwn(defaultMessages, type)

export function defaultMessage(type: DefaultMessageType, channelType: ChannelType): MessageTemplate {
  const message = defaultMessages[type]
  return { type: channelType, ...(channelType === 'email' ? message.email : message.text) }
}

/** The setting that names the tenant's own template of the type, where there is one. */
export function templateSetting(type: DefaultMessageType, channelType: ChannelType): TemplateSetting | undefined {
  const message: DefaultMessage = defaultMessages[type]
  return channelType === 'email' ? message.settings?.email : message.settings?.sms
}
