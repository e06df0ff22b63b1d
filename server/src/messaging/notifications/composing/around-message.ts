// The parts of a message outside its template: the words passed to templates, and the page around an e-mail's body.
import { type Language, type PagesDocument, languages } from '@bailiwick/contract'
import type { TenantRow } from '../../../tenancy/tenants/find-tenant.ts'
import { presentBrand } from '../../../tenancy/tenants/present.ts'
import { shownAddress } from '../../../tenancy/tenants/shown-address.ts'
import type { Deps } from '../../deps.ts'
import type { MessageVariables } from '../messages/queue-message.ts'
import { textIn } from '../rendering/default-messages.ts'
import { durationText, languageFor, textsIn } from '../rendering/message-texts.ts'
import type { Found } from './compose-message.ts'
import type { MailPage } from './mail-document.ts'

const factorKeys = {
  authenticator_code: 'factorApp',
  security_key: 'factorPasskey',
  recovery_codes: 'factorRecoveryCodes',
} as const
const isFactorKind = (kind: unknown): kind is keyof typeof factorKeys =>
  typeof kind === 'string' && Object.hasOwn(factorKeys, kind)

/** Returns the language of the parts around a template, which may itself be in any language. */
export function languageAround({ language }: Pick<Found, 'language'>, pages: PagesDocument): Language {
  return languages.find((each) => each === language) ?? languageFor(language, pages)
}

/** Returns the variables that hold words in the given language. */
export async function wordsFor(language: Language, { expiresInMinutes, factor, factorKind }: MessageVariables) {
  const texts = await textsIn(language)
  return {
    ...(typeof expiresInMinutes === 'number' ? { expiresIn: durationText(expiresInMinutes, language) } : {}),
    ...(factor === undefined ? {} : { factor: isFactorKind(factorKind) ? texts[factorKeys[factorKind]] : factor }),
  }
}

const previewLengthMax = 140

/** The part of the service's own wording after heading and greeting. */
function previewOf(text: string, isDefault: boolean): string {
  const lines = text.split('\n').filter((line) => line !== '')
  const preview = lines.slice(isDefault ? 2 : 0).join(' ')
  return preview.slice(0, previewLengthMax).toWellFormed()
}

/** Returns the page around the body of an e-mail. */
export async function mailPage(
  { config }: Pick<Deps, 'config'>,
  tenant: TenantRow,
  pages: PagesDocument,
  found: Found,
  { subject, text }: { readonly subject: string | null; readonly text: string },
): Promise<MailPage> {
  const language = languageAround(found, pages)
  const texts = await textsIn(language)
  const own = pages.texts[language] ?? {}
  const { supportUri } = pages
  const { dark_logo_id: darkLogoId } = tenant
  return {
    title: subject ?? tenant.name,
    brand: presentBrand(tenant),
    language: found.language,
    tenantName: tenant.name,
    logoUri: tenant.logo_uri,
    darkLogoUri: darkLogoId === null ? null : shownAddress(config, tenant.id, 'darkLogoId', darkLogoId),
    preview: previewOf(text, found.isDefault === true),
    footer: {
      text: textIn(texts, own, 'footer').replaceAll('{tenant}', () => tenant.name),
      links: supportUri === null ? [] : [{ text: textIn(texts, own, 'help'), uri: supportUri }],
    },
  }
}
