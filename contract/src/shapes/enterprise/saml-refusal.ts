// Why a message of a SAML provider is refused, as events and reports of tests say.

export const samlRefusalReasons = [
  /** The XML is malformed, too large, or has a document type, an entity, a processing instruction or a CDATA section. */
  'xml_refused',
  'not_a_response',
  /** The provider says that it did not sign the user in. */
  'provider_refused',
  'unsigned',
  'signature_malformed',
  /** The signature covers something else than what would be read. */
  'signature_wrapped',
  /** No certificate of the connection made the signature, or the message was changed. */
  'signature_wrong',
  'algorithm_refused',
  'not_encrypted',
  'decryption_failed',
  'wrong_issuer',
  'wrong_destination',
  'wrong_recipient',
  'wrong_audience',
  /** It does not answer the sign-in that the browser began. */
  'wrong_request',
  'expired',
  'not_yet_valid',
  /** The assertion has been used before. */
  'repeated',
  'no_name_id',
  'too_many_attributes',
] as const

export type SamlRefusalReason = (typeof samlRefusalReasons)[number]
