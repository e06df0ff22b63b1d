// What a tenant requires of new users, and what is still missing. A pure function.
import {
  type Attribute,
  type SignUpFieldName,
  type TenantAuthSettings,
  type VerificationStrategy,
  signUpFieldNames,
} from '@bailiwick/contract'
import { type AttributeValues, demandedAttributes, isLacking } from '../../tenancy/tenants/attributes/values.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-entry.ts'
import type { Identity } from '../providers/provider.ts'

export type ContactName = 'email' | 'phone'

/** What has been entered so far; a password is kept as its hash. */
export interface GivenFields {
  readonly email?: string
  readonly phone?: string
  readonly username?: string
  readonly name?: string
  readonly passwordHash?: string
  /** Values of the tenant's own attributes. */
  readonly attributes?: AttributeValues
  /** Set by a social provider, which proves who the user is: then no password is required. */
  readonly identity?: Identity
  /** Set by the token of an invitation to an organization, which proves the address that it was sent to. */
  readonly invitationHash?: string
  /** The same for an invitation to administer a tenant, at the console. */
  readonly tenantInvitationHash?: string
  /** The same for an invitation from the waiting list. */
  readonly waitlistHash?: string
  /** Whether the address is verified before anything else is entered. */
  readonly isMailFirst?: true
  readonly verified: readonly ContactName[]
}

/** A field of the service, or an attribute of the tenant. */
export type FieldName = SignUpFieldName | `attributes/${string}`

/** What decides which fields are asked for. */
export type Asking = Pick<TenantEntry, 'auth' | 'attributes'>

export interface Requirements {
  readonly requiredFields: readonly FieldName[]
  readonly missingFields: readonly FieldName[]
  readonly requiredVerifications: readonly ContactName[]
  readonly missingVerifications: readonly ContactName[]
}

const isForDomains = ({ signUpDomains }: TenantAuthSettings) => signUpDomains.length > 0

/** An address shows that somebody belongs to a domain only once it is verified. */
export const isEmailVerificationRequired = (auth: TenantAuthSettings) =>
  auth.emailVerificationRequired || isForDomains(auth)

const isRequired: Readonly<Record<SignUpFieldName, (auth: TenantAuthSettings) => boolean>> = {
  email: (auth) => auth.emailRequired || isForDomains(auth),
  phone: (auth) => auth.phoneRequired,
  username: (auth) => auth.usernameRequired,
  name: (auth) => auth.nameRequired,
  password: (auth) => auth.passwordRequired && auth.passwordsEnabled,
}

const isGiven = (given: GivenFields, name: SignUpFieldName) =>
  (name === 'password' ? given.passwordHash : given[name]) !== undefined

const identifierNames = ['email', 'phone', 'username'] as const

/** A user without any identifier could never sign in again, so one is always required, of a kind that signs in. */
function identifierWanted(auth: TenantAuthSettings, given: GivenFields): SignUpFieldName | undefined {
  if (identifierNames.some((name) => isRequired[name](auth) || isGiven(given, name))) return undefined
  return identifierNames.find((name) => auth[`${name}SignInEnabled`]) ?? 'email'
}

const mailFirst = ({ email }: GivenFields): Requirements => ({
  requiredFields: ['email'],
  missingFields: email === undefined ? ['email'] : [],
  requiredVerifications: ['email'],
  missingVerifications: ['email'],
})

const attributeField = ({ key }: Attribute): FieldName => `attributes/${key}`

/** @param isProven whether something else than a password proves who the user is, who can sign in with it. */
export function requirementsOf(
  tenant: Asking,
  given: GivenFields,
  isProven = given.identity !== undefined,
): Requirements {
  const { auth } = tenant
  if (given.isMailFirst === true && !given.verified.includes('email')) return mailFirst(given)
  const wanted = isProven ? undefined : identifierWanted(auth, given)
  const requiredFields = signUpFieldNames.filter(
    (name) => name === wanted || (isRequired[name](auth) && !(name === 'password' && isProven)),
  )
  const requiredVerifications = (['email', 'phone'] as const).filter((name) => {
    const isAsked = name === 'email' ? isEmailVerificationRequired(auth) : auth.phoneVerificationRequired
    return isAsked && (isGiven(given, name) || requiredFields.includes(name))
  })
  const attributes = demandedAttributes(tenant.attributes)
  const lacking = attributes.filter((attribute) => isLacking(attribute, given.attributes ?? {}))
  return {
    requiredFields: [...requiredFields, ...attributes.map(attributeField)],
    missingFields: [...requiredFields.filter((name) => !isGiven(given, name)), ...lacking.map(attributeField)],
    requiredVerifications,
    missingVerifications: requiredVerifications.filter((name) => !given.verified.includes(name)),
  }
}

/** Returns the fields with which a sign-up begins if nothing is known of the user yet. */
export const firstFields = (auth: TenantAuthSettings): readonly SignUpFieldName[] =>
  serviceFields(requirementsOf({ auth, attributes: [] }, { verified: [] }).missingFields)

/** Returns the fields that are not attributes. */
export const serviceFields = (names: readonly string[]): readonly SignUpFieldName[] =>
  signUpFieldNames.filter((name) => names.includes(name))

const verificationSettings: Readonly<Record<VerificationStrategy, keyof TenantAuthSettings>> = {
  email_code: 'emailVerificationCodeEnabled',
  email_link: 'emailVerificationLinkEnabled',
  phone_code: 'phoneVerificationCodeEnabled',
}

export const isVerificationEnabled = (auth: TenantAuthSettings, strategy: VerificationStrategy): boolean =>
  auth[verificationSettings[strategy]] === true

export const contactOf = (strategy: VerificationStrategy): ContactName =>
  strategy === 'phone_code' ? 'phone' : 'email'
