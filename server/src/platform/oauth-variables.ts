// The deployment's own clients at social providers, for tenants without their own.
import { matching, optional, refuse } from './config-variable.ts'
import { Secret } from './crypto/secret.ts'

const oauthText = matching(/^[!-~]{1,512}$/, 'must be visible ASCII characters, at most 512')

function oauthSecret(text: string): Secret {
  if (!/^[!-~]{8,512}$/.test(text)) refuse('must be 8 to 512 visible ASCII characters')
  return new Secret(text)
}

function pemPrivateKey(text: string): Secret {
  if (!/^-----BEGIN PRIVATE KEY-----[\s\w+/=]+-----END PRIVATE KEY-----\s*$/.test(text)) {
    refuse('must be a private key in PEM, as PKCS #8')
  }
  return new Secret(text)
}

export const oauthVariables = {
  oauthGoogleClientId: optional({
    name: 'BAILIWICK_OAUTH_GOOGLE_CLIENT_ID',
    parse: oauthText,
    description: 'The client at Google of tenants without credentials of their own.',
  }),
  oauthGoogleClientSecret: optional({
    name: 'BAILIWICK_OAUTH_GOOGLE_CLIENT_SECRET',
    isSecret: true,
    parse: oauthSecret,
    description: 'The secret of that client; given together with its id.',
  }),
  oauthGitHubClientId: optional({
    name: 'BAILIWICK_OAUTH_GITHUB_CLIENT_ID',
    parse: oauthText,
    description: 'The client at GitHub of tenants without credentials of their own.',
  }),
  oauthGitHubClientSecret: optional({
    name: 'BAILIWICK_OAUTH_GITHUB_CLIENT_SECRET',
    isSecret: true,
    parse: oauthSecret,
    description: 'The secret of that client; given together with its id.',
  }),
  oauthGitLabClientId: optional({
    name: 'BAILIWICK_OAUTH_GITLAB_CLIENT_ID',
    parse: oauthText,
    description: 'The client at GitLab of tenants without credentials of their own.',
  }),
  oauthGitLabClientSecret: optional({
    name: 'BAILIWICK_OAUTH_GITLAB_CLIENT_SECRET',
    isSecret: true,
    parse: oauthSecret,
    description: 'The secret of that client; given together with its id.',
  }),
  oauthAppleClientId: optional({
    name: 'BAILIWICK_OAUTH_APPLE_CLIENT_ID',
    parse: oauthText,
    description: 'The client at Apple of tenants without credentials of their own.',
  }),
  oauthAppleClientSecret: optional({
    name: 'BAILIWICK_OAUTH_APPLE_CLIENT_SECRET',
    isSecret: true,
    parse: pemPrivateKey,
    description: 'The private key (PEM) that Apple gave; the four APPLE variables are given all or none.',
  }),
  oauthFacebookClientId: optional({
    name: 'BAILIWICK_OAUTH_FACEBOOK_CLIENT_ID',
    parse: oauthText,
    description: 'The client at Facebook of tenants without credentials of their own.',
  }),
  oauthFacebookClientSecret: optional({
    name: 'BAILIWICK_OAUTH_FACEBOOK_CLIENT_SECRET',
    isSecret: true,
    parse: oauthSecret,
    description: 'The secret of that client; given together with its id.',
  }),
  oauthAppleTeamId: optional({
    name: 'BAILIWICK_OAUTH_APPLE_TEAM_ID',
    parse: oauthText,
    description: 'The team that the client at Apple belongs to.',
  }),
  oauthAppleKeyId: optional({
    name: 'BAILIWICK_OAUTH_APPLE_KEY_ID',
    parse: oauthText,
    description: 'The id of the private key that Apple gave.',
  }),
} as const
