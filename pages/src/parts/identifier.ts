// The field for the identifiers by which the tenant lets people sign in.
import type { Frame } from '../frame.ts'
import type { FieldOptions } from './field.ts'

export interface IdentifierKinds {
  readonly email: boolean
  readonly phone: boolean
  readonly username: boolean
}

export function identifierLabel({ text }: Frame, { email, phone, username }: IdentifierKinds): string {
  if (email && phone && username) return text('field.anyIdentifier')
  if (email && phone) return text('field.emailOrPhone')
  if (email && username) return text('field.emailOrUsername')
  if (phone && username) return text('field.phoneOrUsername')
  return phone ? text('field.phone') : username ? text('field.username') : text('field.email')
}

/** The keyboard that suits the kind. A field for several kinds accepts any text. */
export function identifierInput({ email, phone, username }: IdentifierKinds): Pick<FieldOptions, 'type' | 'inputmode'> {
  if (email && !phone) return username ? { type: 'text', inputmode: 'email' } : { type: 'email', inputmode: 'email' }
  if (phone && !email && !username) return { type: 'tel', inputmode: 'tel' }
  return { type: 'text', inputmode: email ? 'email' : 'text' }
}
