// The service's own messages, in Liquid. A tenant's template with the same name takes precedence.
import type { ChannelType, TenantAuthSettings } from '@bailiwick/contract'
import { type MessageKey, type MessageTexts, englishTexts } from './message-texts.ts'
import type { MessageTemplate } from './render-message.ts'

type Wording = Pick<MessageTemplate, 'subject' | 'body'>
export type TemplateSetting = Extract<keyof TenantAuthSettings, `${string}TemplateId`>

interface Outline {
  readonly subject: MessageKey
  /** The heading of the e-mail; by default also its subject. */
  readonly heading?: MessageKey
  readonly intro?: MessageKey
  /** The intro if the inviter is known. */
  readonly by?: MessageKey
  /** The label of the button, if there is a link. */
  readonly action?: MessageKey
  /** The text before the code, if there is one. */
  readonly code?: MessageKey
  readonly isTimed?: boolean
  readonly end?: 'ignore' | 'ignoreInvitation' | 'warning'
  /** The beginning of text messages; by default the subject. */
  readonly text?: 'intro'
  /** The settings of the authentication configuration that refer to the tenant's own templates. */
  readonly settings?: { readonly email: TemplateSetting; readonly sms: TemplateSetting }
}

const outlines = {
  'verification-code': {
    subject: 'codeSubject',
    heading: 'codeHeading',
    code: 'codeIntro',
    isTimed: true,
    end: 'ignore',
    settings: { email: 'codeVerificationEmailTemplateId', sms: 'codeVerificationSMSMessageTemplateId' },
  },
  'magic-link': {
    subject: 'linkSubject',
    intro: 'linkIntro',
    action: 'linkAction',
    isTimed: true,
    end: 'ignore',
    settings: { email: 'magicLinkEmailTemplateId', sms: 'magicLinkSMSMessageTemplateId' },
  },
  welcome: {
    subject: 'welcomeSubject',
    intro: 'welcomeIntro',
    settings: { email: 'welcomeEmailTemplateId', sms: 'welcomeSMSMessageTemplateId' },
  },
  'password-reset': {
    subject: 'resetSubject',
    intro: 'resetIntro',
    action: 'resetAction',
    code: 'codeIntro',
    isTimed: true,
    end: 'ignore',
  },
  'organization-invitation': {
    subject: 'organizationSubject',
    intro: 'organizationIntro',
    by: 'organizationBy',
    action: 'invitationAction',
    code: 'invitationCode',
    isTimed: true,
    end: 'ignoreInvitation',
    text: 'intro',
  },
  'tenant-invitation': {
    subject: 'administratorSubject',
    intro: 'administratorIntro',
    by: 'administratorBy',
    action: 'invitationAction',
    code: 'invitationCode',
    isTimed: true,
    end: 'ignoreInvitation',
    text: 'intro',
  },
  'waitlist-invitation': {
    subject: 'waitlistSubject',
    intro: 'waitlistIntro',
    action: 'waitlistAction',
    isTimed: true,
    end: 'ignoreInvitation',
    text: 'intro',
  },
  'account-exists': { subject: 'existsSubject', intro: 'existsIntro', end: 'ignore', text: 'intro' },
  'password-changed': { subject: 'passwordChangedSubject', end: 'warning' },
  'email-changed': { subject: 'emailChangedSubject', end: 'warning' },
  'phone-changed': { subject: 'phoneChangedSubject', end: 'warning' },
  'factor-added': { subject: 'factorAddedSubject', intro: 'factorAddedIntro', end: 'warning' },
  'new-device': { subject: 'newDeviceSubject', intro: 'newDeviceIntro', end: 'warning' },
  'failed-attempts': { subject: 'newDeviceSubject', intro: 'failedAttemptsIntro', end: 'warning' },
  'factor-removed': { subject: 'factorRemovedSubject', intro: 'factorRemovedIntro', end: 'warning' },
  'api-key-leaked': { subject: 'apiKeyLeakedSubject', intro: 'apiKeyLeakedIntro' },
  'recovery-code-used': { subject: 'recoverySubject', intro: 'recoveryIntro', end: 'warning' },
} as const satisfies Readonly<Record<string, Outline>>

/** The purpose of a message, in the form used in template names. */
export type DefaultMessageType = keyof typeof outlines

/** The types whose templates the configuration refers to; every new tenant gets them. */
export const configuredTypes = Object.entries<Outline>(outlines).flatMap(([type, { settings }]) =>
  settings === undefined ? [] : [{ type: type as DefaultMessageType, settings }],
)

/** The notices of what may have been done by somebody else. The service adds the link that secures the account below their body. */
export const isSecurityNotice = (type: string | null): boolean =>
  type !== null && isDefaultMessageType(type) && 'end' in outlines[type] && outlines[type].end === 'warning'

/** The types whose messages carry a code or a link that proves something. */
export const secretTypes = Object.entries<Outline>(outlines).flatMap(([type, { code, action }]) =>
  code === undefined && action === undefined ? [] : [type as DefaultMessageType],
)

export const defaultMessageTypes = Object.keys(outlines) as DefaultMessageType[]
export const isDefaultMessageType = (type: string): type is DefaultMessageType => Object.hasOwn(outlines, type)

/** Maps the placeholders in braces to Liquid. */
export const placeholders: Readonly<Record<string, string>> = {
  tenant: '{{ tenant.name }}',
  name: '{{ user.name }}',
  code: '{{ code }}',
  duration: '{{ expiresIn }}',
  organization: '{{ organization.name }}',
  administered: '{{ invitation.tenantName }}',
  inviter: '{{ inviter.name }}',
  apikey: '{{ apiKey.name }}',
  factor: '{{ factor }}',
  left: '{{ left }}',
  device: '{{ device }}',
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
const escape = (text: string) => text.replaceAll(/[&<>]/g, (character) => escapes[character] ?? character)

/** Converts a text to Liquid. A brace that does not belong to a placeholder stays a brace. */
const liquidOf = (text: string, mark: (liquid: string, name: string) => string = (liquid) => liquid) =>
  text.replaceAll(/\{([a-z]+)\}|\{/g, (brace, name: string | undefined) =>
    name !== undefined && Object.hasOwn(placeholders, name)
      ? mark(placeholders[name] ?? '', name)
      : `{{ '{' }}${brace.slice(1)}`,
  )

const names: ReadonlySet<string> = new Set(['tenant', 'name', 'organization', 'administered', 'inviter', 'apikey'])
/** Isolates names, because one in the opposite writing direction must not change the order of the text around it. */
const isolated = (liquid: string, name: string) => (names.has(name) ? `<span dir="auto">${liquid}</span>` : liquid)

const when = (variable: string, text: string, otherwise?: string) =>
  `{% if ${variable} %}${text}${otherwise === undefined ? '' : `{% else %}${otherwise}`}{% endif %}`

/** The text is not needed where the service adds a link. */
const unlessSecured = (text: string) => `{% unless secured %}${text}{% endunless %}`

/** Returns an e-mail's lines, with plain elements and the classes that `mail-document.ts` knows. */
function emailOf(outline: Outline, said: (key: MessageKey) => string): Wording {
  const html = (key: MessageKey) => liquidOf(escape(said(key)), isolated)
  const { subject, heading = subject, intro, by, action, code, isTimed, end } = outline
  const lines = [
    `<h1>${html(heading)}</h1>`,
    `<p>${when('user.name', html('helloName'), html('hello'))}</p>`,
    by !== undefined && intro !== undefined && `<p>${when('inviter.name', html(by), html(intro))}</p>`,
    by === undefined && intro !== undefined && `<p>${html(intro)}</p>`,
    action !== undefined && when('link', `<p class="button"><a href="{{ link }}">${html(action)}</a></p>`),
    code !== undefined && when('code', `<p>${html(code)}</p>\n<p class="code">{{ code }}</p>`),
    isTimed === true && when('expiresIn', `<p>${html('valid')}</p>`),
    end === 'warning' && unlessSecured(`<p>${html('warning')}</p>`),
    (end === 'ignore' || end === 'ignoreInvitation') && `<p class="note">${html(end)}</p>`,
  ]
  return { subject: liquidOf(said(subject)), body: lines.filter((line) => line !== false).join('\n') }
}

/** Returns the same message for channels of plain text, as short as possible. */
function textOf(outline: Outline, said: (key: MessageKey) => string): Wording {
  const text = (key: MessageKey) => liquidOf(said(key))
  const { subject, intro, by, action, code, isTimed, end } = outline
  const [first, second] = 'text' in outline && intro !== undefined ? [intro, undefined] : [subject, intro]
  const isFirstOfInviter = by !== undefined && first === intro
  const lines = [
    isFirstOfInviter ? when('inviter.name', text(by), text(first)) : text(first),
    second !== undefined && code === undefined && action === undefined && `\n${text(second)}`,
    action !== undefined && when('link', '\n{{ link }}'),
    // The subject already contains the code.
    code !== undefined && subject !== 'codeSubject' && when('code', '\n{{ code }}'),
    isTimed === true && when('expiresIn', `\n${text('valid')}`),
    end === 'warning' && unlessSecured(`\n${text('warning')}`),
  ]
  return { subject: null, body: lines.filter((line) => line !== false).join('') }
}

/** Texts with which the tenant has replaced the service's, by keys such as `message.codeIntro`. */
export type OwnTexts = Readonly<Record<string, string>>

/** Returns the wording of a message type in the language of the texts. */
export function defaultMessage(
  type: DefaultMessageType,
  channelType: ChannelType,
  texts: MessageTexts = englishTexts,
  own: OwnTexts = {},
): MessageTemplate {
  const said = (key: MessageKey) => textIn(texts, own, key)
  return { type: channelType, ...(channelType === 'email' ? emailOf : textOf)(outlines[type], said) }
}

export const textIn = (texts: MessageTexts, own: OwnTexts, key: MessageKey): string =>
  Object.hasOwn(own, `message.${key}`) ? (own[`message.${key}`] ?? texts[key]) : texts[key]

/** Returns the setting that refers to the tenant's own template for the type, if there is one. */
export function templateSetting(type: DefaultMessageType, channelType: ChannelType): TemplateSetting | undefined {
  const { settings }: Outline = outlines[type]
  return channelType === 'email' ? settings?.email : settings?.sms
}
