// The formats that the JSON Schema keyword `format` refers to in the contract's shapes.
import { isKeyPrefix, keyPrefixRule } from '../token-prefixes.ts'
import { brandValueRule, isBrandValue } from './brand-value.ts'
import { claimNameRule, claimSourceRule, isClaimName, isClaimSource } from './claim-name.ts'
import { domainRule, isDomain } from './domain.ts'
import { emailRule, isEmail, isMailDomain, mailDomainRule } from './email.ts'
import { idRule, isId } from './id.ts'
import { imageColorRule, isImageColor } from './image-color.ts'
import { fileNameRule, isFileName, isMediaPath, mediaPathRule } from './media-name.ts'
import { isPassword, passwordRule } from './password.ts'
import { isPermission, permissionRule } from './permission.ts'
import { isPhone, phoneRule } from './phone.ts'
import { isOfferedLocale, isTimezone, localeRule, timezoneRule } from './reader.ts'
import {
  isIssuer,
  isRedirectUri,
  isSupportUri,
  isWebUri,
  issuerRule,
  redirectUriRule,
  supportUriRule,
  webUriRule,
} from './redirect-uri.ts'
import { isResourceIndicator, resourceIndicatorRule } from './resource-indicator.ts'
import { isSlug, slugRule } from './slug.ts'
import { isPlainLine, isWellFormedText, plainLineRule, textRule } from './text.ts'
import { isTimestamp, timestampRule } from './timestamp.ts'
import { isUsername, usernameRule } from './username.ts'
import { isLayerUrl, isWebhookUrl, layerUrlRule, webhookUrlRule } from './webhook-url.ts'

const perPageRule = 'must be a whole number from 1 to 100'

/** A query parameter in plain decimal digits, so that each page size has exactly one spelling. */
const isPerPage = (value: string): boolean => /^(?:[1-9]\d?|100)$/.test(value)

export interface Format {
  readonly test: (value: string) => boolean
  /** Follows the name of a field in an error message. */
  readonly rule: string
}

export const formats: Readonly<Record<string, Format>> = {
  email: { test: isEmail, rule: emailRule },
  phone: { test: isPhone, rule: phoneRule },
  username: { test: isUsername, rule: usernameRule },
  slug: { test: isSlug, rule: slugRule },
  'mail-domain': { test: isMailDomain, rule: mailDomainRule },
  'host-name': { test: isDomain, rule: domainRule },
  'brand-value': { test: isBrandValue, rule: brandValueRule },
  'claim-name': { test: isClaimName, rule: claimNameRule },
  'claim-source': { test: isClaimSource, rule: claimSourceRule },
  'image-color': { test: isImageColor, rule: imageColorRule },
  'layer-url': { test: isLayerUrl, rule: layerUrlRule },
  cursor: { test: isTimestamp, rule: timestampRule },
  'per-page': { test: isPerPage, rule: perPageRule },
  id: { test: isId, rule: idRule },
  'web-uri': { test: isWebUri, rule: webUriRule },
  issuer: { test: isIssuer, rule: issuerRule },
  'support-uri': { test: isSupportUri, rule: supportUriRule },
  'redirect-uri': { test: isRedirectUri, rule: redirectUriRule },
  'resource-indicator': { test: isResourceIndicator, rule: resourceIndicatorRule },
  'webhook-url': { test: isWebhookUrl, rule: webhookUrlRule },
  'key-prefix': { test: isKeyPrefix, rule: keyPrefixRule },
  permission: { test: isPermission, rule: permissionRule },
  timezone: { test: isTimezone, rule: timezoneRule },
  locale: { test: isOfferedLocale, rule: localeRule },
  password: { test: isPassword, rule: passwordRule },
  'file-name': { test: isFileName, rule: fileNameRule },
  'media-path': { test: isMediaPath, rule: mediaPathRule },
  text: { test: isWellFormedText, rule: textRule },
  'plain-line': { test: isPlainLine, rule: plainLineRule },
}
