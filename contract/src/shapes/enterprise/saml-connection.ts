// The part of a connection that only SAML 2.0 has.
import type { Static } from 'typebox'
import {
  array,
  boolean,
  nullableBoolean,
  nullableOneOf,
  nullableText,
  object,
  optional,
  text,
  timestamp,
} from '../../schema.ts'

/** The formats of name ids that can be asked for, without their prefix, which depends on the version of SAML that named them. */
export const nameIdFormats = ['persistent', 'emailAddress', 'unspecified'] as const
export type NameIdFormat = (typeof nameIdFormats)[number]

export const samlCertificatesMax = 4
const entityId = { minLength: 1, maxLength: 1024, format: 'plain-line', description: "The provider's entity id" }
const ssoUrl = {
  format: 'web-uri',
  description: 'Where the provider takes requests to sign in, by the HTTP-Redirect binding',
}
const sloUrl = {
  format: 'web-uri',
  description:
    'Where the provider takes requests to sign out, by the HTTP-Redirect binding. null: it offers no single logout',
}
const attributeName = (description: string) => ({ minLength: 1, maxLength: 256, format: 'plain-line', description })
const attributeNames = {
  email: attributeName(
    'The attribute with the e-mail address. null: one of the usual names, or the name id if it is an e-mail address',
  ),
  name: attributeName("The attribute with the user's name. null: one of the usual names"),
  givenName: attributeName('The attribute with the first name. null: one of the usual names'),
  familyName: attributeName('The attribute with the last name. null: one of the usual names'),
  groups: attributeName(
    'The attribute that role rules find under the name `groups` as well. null: one of the usual names',
  ),
}

/** In which attributes a SAML provider sends what is known of a user. */
export const SamlAttributes = object({
  email: nullableText(attributeNames.email),
  name: nullableText(attributeNames.name),
  givenName: nullableText(attributeNames.givenName),
  familyName: nullableText(attributeNames.familyName),
  groups: nullableText(attributeNames.groups),
})
export type SamlAttributes = Static<typeof SamlAttributes>

/** What is stored of a SAML connection beside its private key. */
export const SamlSettings = object({
  entityId: nullableText(entityId),
  ssoUrl: nullableText(ssoUrl),
  /** Base64 of DER. */
  certificates: array(text({ pattern: '^[A-Za-z0-9+/]{1,16384}={0,2}$' }), { maxItems: samlCertificatesMax }),
  metadataUri: nullableText({ format: 'web-uri' }),
  nameIdFormat: nullableOneOf(nameIdFormats),
  attributes: SamlAttributes,
  wantEncrypted: boolean(),
  sloUrl: optional(nullableText(sloUrl)),
  /** Where answers to the provider's own requests go; null: to `sloUrl` as well. */
  sloResponseUrl: optional(nullableText({ format: 'web-uri' })),
  /** null: on as soon as the provider offers it. */
  singleLogout: optional(nullableBoolean()),
  idpInitiated: optional(boolean()),
  /** Base64 of DER, for the key that is kept sealed. */
  ownCertificate: text({ pattern: '^[A-Za-z0-9+/]{1,16384}={0,2}$' }),
})
export type SamlSettings = Static<typeof SamlSettings>

/** A certificate with which a SAML provider signs. */
export const SamlCertificate = object({
  fingerprint: text({ description: 'SHA-256 of the certificate, in hexadecimal' }),
  expiresAt: timestamp(),
})

/** What only a SAML connection has: its provider, and what the provider has to know of the connection. */
export const SamlConnection = object({
  entityId: nullableText(entityId),
  ssoUrl: nullableText(ssoUrl),
  certificates: array(SamlCertificate, { description: 'The certificates whose signatures are accepted' }),
  metadataUri: nullableText(),
  nameIdFormat: nullableOneOf(nameIdFormats),
  attributes: SamlAttributes,
  wantEncrypted: boolean(),
  sloUrl: nullableText(sloUrl),
  singleLogout: boolean({ description: 'Whether signing out here signs out at the provider as well, and the reverse' }),
  idpInitiated: boolean({ description: 'Whether sign-ins that begin at the provider are accepted' }),
  ownEntityId: text({
    description: "The entity id (audience) to enter at the provider. The connection's own metadata are at this address",
  }),
  acsUrl: text({ description: 'The assertion consumer service URL (reply URL) to enter at the provider' }),
  ownSloUrl: text({
    description: 'The single logout service URL to enter at the provider, by HTTP-Redirect or HTTP-POST',
  }),
  ownCertificate: text({
    description:
      'PEM. The connection signs its requests with the key of this certificate, and decrypts assertions with it',
  }),
})
export type SamlConnection = Static<typeof SamlConnection>

const input = {
  metadataXml: optional(
    text({
      minLength: 1,
      maxLength: 131_072,
      format: 'text',
      description: 'The metadata of the provider: they set its entity id, URL and certificates',
    }),
  ),
  metadataUri: optional(
    nullableText({
      format: 'web-uri',
      description: 'Where the metadata of the provider are read now. Send it again to read them again',
    }),
  ),
  entityId: optional(text(entityId)),
  ssoUrl: optional(text(ssoUrl)),
  certificates: optional(
    array(text({ minLength: 1, maxLength: 32_768 }), {
      minItems: 1,
      maxItems: samlCertificatesMax,
      description:
        'The certificates with which the provider signs, as PEM or base64: the present one and the next. RSA with 2,048 bits or more, or EC',
    }),
  ),
  nameIdFormat: optional(
    nullableOneOf(nameIdFormats, {
      description: 'The format of name ids that requests ask for. null: the provider decides. Default: null',
    }),
  ),
  attributes: optional(
    object({
      email: optional(nullableText(attributeNames.email)),
      name: optional(nullableText(attributeNames.name)),
      givenName: optional(nullableText(attributeNames.givenName)),
      familyName: optional(nullableText(attributeNames.familyName)),
      groups: optional(nullableText(attributeNames.groups)),
    }),
  ),
  wantEncrypted: optional(boolean({ description: 'Whether only encrypted assertions are accepted. Default: false' })),
  sloUrl: optional(nullableText(sloUrl)),
  singleLogout: optional(
    boolean({
      description:
        'Whether signing out here signs out at the provider as well, and the reverse. Needs `sloUrl`. Default: whether the provider offers it',
    }),
  ),
  idpInitiated: optional(
    boolean({
      description:
        'Whether sign-ins that begin at the provider are accepted. The browser is asked before it is signed in. Default: false',
    }),
  ),
}

/** For creating and for changing; what is left out of a new connection can follow once the provider knows the connection. */
export const SamlConnectionInput = object(input)
export type SamlConnectionInput = Static<typeof SamlConnectionInput>
