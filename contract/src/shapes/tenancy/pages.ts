import type { Static } from 'typebox'
import { type Language, languages } from '../../languages.ts'
import { array, integer, nullableId, nullableText, object, oneOf, optional, text } from '../../schema.ts'
import { Type } from '../../type.ts'

export const pageLayouts = ['centered', 'split'] as const

/** Texts by key. Pages and messages ignore unknown keys. */
export type PageTexts = Readonly<Record<string, string>>
/** The wording of a tenant in place of the service's, by the text's key. */
export const PageTexts = Type.Unsafe<PageTexts>({
  type: 'object',
  maxProperties: 300,
  patternProperties: {
    '^(?=.{1,64}$)[a-z][A-Za-z0-9]*(?:[._-][A-Za-z0-9]+)*$': text({
      minLength: 1,
      maxLength: 500,
      format: 'plain-line',
    }),
  },
  additionalProperties: false,
})

export type PageTextsByLanguage = Readonly<Partial<Record<Language, PageTexts>>>
/** The wording of a tenant by language. */
export const PageTextsByLanguage = Type.Unsafe<PageTextsByLanguage>({
  ...object(Object.fromEntries(languages.map((language) => [language, optional(PageTexts)]))),
  description:
    "The tenant's own texts by language and key; they replace those of the service. Plain text without markup, at most 300 texts of 500 characters in each language.",
})

const descriptions = {
  defaultLanguage: 'The language of pages and messages for users whose preferred languages are not available',
  languages: 'The languages in which pages and messages are available; empty: all',
  termsUri: 'The URL of the terms of service. Pages and sign-up link to it',
  privacyUri: 'The URL of the privacy policy. Pages and sign-up link to it',
  supportUri: 'The URL of a page where users get help, or a mailto: address. Pages and messages link to it',
  darkLogoId: 'The id of a public file of the tenant, which replaces its logo on dark pages and in dark messages',
  layout:
    'centered: the form alone in the middle; split: the form beside a panel in the colours of the brand, if the page is at least 960 pixels wide',
}

const settings = {
  defaultLanguage: oneOf(languages, { description: descriptions.defaultLanguage }),
  languages: array(oneOf(languages), { maxItems: 24, uniqueItems: true, description: descriptions.languages }),
  texts: PageTextsByLanguage,
  termsUri: nullableText({ format: 'web-uri', description: descriptions.termsUri }),
  privacyUri: nullableText({ format: 'web-uri', description: descriptions.privacyUri }),
  supportUri: nullableText({ format: 'support-uri', description: descriptions.supportUri }),
  darkLogoId: nullableId({ description: descriptions.darkLogoId }),
  layout: oneOf(pageLayouts, { description: descriptions.layout }),
}

/** The texts and look of a tenant's hosted pages and messages, apart from the brand. */
export const PageSettings = object({
  ...settings,
  darkLogoUri: nullableText({ description: 'The URL of the file in darkLogoId' }),
  version: integer({ description: '0 until the settings are changed for the first time' }),
})
export type PageSettings = Static<typeof PageSettings>

/** Any subset of the settings. Omitted ones stay as they are; `texts` is replaced as a whole. */
export const UpdatePageSettings = object({
  defaultLanguage: optional(settings.defaultLanguage),
  languages: optional(settings.languages),
  texts: optional(settings.texts),
  termsUri: optional(settings.termsUri),
  privacyUri: optional(settings.privacyUri),
  supportUri: optional(settings.supportUri),
  darkLogoId: optional(settings.darkLogoId),
  layout: optional(settings.layout),
})
export type UpdatePageSettings = Static<typeof UpdatePageSettings>

/** The settings as they are stored. */
export type PagesDocument = Required<UpdatePageSettings>

export const defaultPagesDocument = (): PagesDocument => ({
  defaultLanguage: 'en',
  languages: [],
  texts: {},
  termsUri: null,
  privacyUri: null,
  supportUri: null,
  darkLogoId: null,
  layout: 'centered',
})
