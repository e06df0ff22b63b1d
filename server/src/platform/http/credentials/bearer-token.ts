// The token of an Authorization header (RFC 6750 section 2.1): one of the service's own, or a JWT, which contains dots.

/** Allows for JWTs, which contain the user's name and permissions. */
const bearer = /^Bearer ([\w-]{1,512}|[\w-]{1,512}\.[\w-]{1,8192}\.[\w-]{1,512})$/i

export const bearerToken = (authorization: string): string | undefined => bearer.exec(authorization)?.[1]

export const isJwt = (token: string): boolean => token.includes('.')
