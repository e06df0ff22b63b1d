// The services whose exports of users can be converted. They are separate from the readers, because the command line lists them in its
// help.
export const userFormats = ['clerk', 'auth0', 'firebase', 'better-auth', 'keycloak'] as const
export type UserFormat = (typeof userFormats)[number]
