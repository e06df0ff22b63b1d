/** The standard claims that each scope of OpenID Connect requests, and the organization that the application acts for. */
export const claimsByScope = {
  openid: ['sub', 'org_id', 'auth_time', 'amr', 'acr'],
  profile: ['name', 'preferred_username', 'picture', 'updated_at'],
  email: ['email', 'email_verified'],
  phone: ['phone_number', 'phone_number_verified'],
} as const
