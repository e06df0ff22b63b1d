// Maps each constraint that can refuse a row to an error. Constraints decide every uniqueness rule, so that two hundred simultaneous
// requests get the same answers as two consecutive ones.
import type { ConstraintError } from '../db/database.ts'
import { ApiError } from './api-error.ts'

const errors = {
  channels_key_key: 'channel_key_taken',
  channels_name_key: 'channel_name_taken',
  custom_providers_key: 'provider_taken',
  domains_verified_key: 'domain_taken',
  email_addresses_key: 'email_taken',
  organization_domains_name_key: 'domain_exists',
  organization_domains_verified_key: 'domain_taken',
  organization_invitations_open_key: 'invitation_exists',
  organization_members_user_key: 'member_exists',
  organizations_slug_key: 'organization_slug_taken',
  passkeys_credential_key: 'passkey_exists',
  phone_numbers_key: 'phone_taken',
  resources_indicator_key: 'resource_indicator_taken',
  roles_name_key: 'role_name_taken',
  social_connections_subject_key: 'connection_taken',
  social_providers_key: 'provider_taken',
  templates_name_key: 'template_name_taken',
  tenant_invitations_email_key: 'invitation_exists',
  tenant_members_user_key: 'member_exists',
  tenants_slug_key: 'slug_taken',
  transformations_name_key: 'transformation_name_taken',
  users_username_key: 'username_taken',
} as const

export function errorOfConstraint(error: ConstraintError): ApiError | undefined {
  const code = (errors as Record<string, (typeof errors)[keyof typeof errors]>)[error.constraint]
  return code && new ApiError(code, { cause: error })
}
