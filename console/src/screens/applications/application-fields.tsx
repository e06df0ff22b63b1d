import {
  type Application,
  type ApplicationGrantType,
  applicationTypeRules,
  tokenExchangeGrant,
} from '@bailiwick/contract'
import { Suspense } from 'react'
import type { Option } from '../../form/controls.tsx'
import type { FieldSpec } from '../../form/field-spec.ts'
import { lazyPart } from '../../parts/not-loaded.tsx'
import { PictureField } from '../media/picture-field.tsx'
import { ResourcesField } from './resources-field.tsx'

/** Loaded separately: only machines have it. */
const MachineScopesField = lazyPart(async () => (await import('./machine-scopes-field.tsx')).MachineScopesField)

type Type = Application['type']
type Body = Readonly<Record<string, unknown>>

export const typeNames: Readonly<Record<Type, string>> = {
  web: 'Web app with a server',
  spa: 'Single-page app in the browser',
  native: 'Native app on a phone, a computer or the command line',
  device: 'Device without a browser, such as a television',
  machine: 'Service that acts for itself, without a user',
}

export const shortTypeNames: Readonly<Record<Type, string>> = {
  web: 'Web',
  spa: 'Single page',
  native: 'Native',
  device: 'Device',
  machine: 'Machine',
}

const grants: Readonly<Record<ApplicationGrantType, Omit<Option, 'value'>>> = {
  authorization_code: { label: 'Authorization code', about: 'Users sign in on the hosted pages and come back.' },
  refresh_token: { label: 'Refresh token', about: 'Access continues without another sign-in.' },
  client_credentials: { label: 'Client credentials', about: 'The application acts for itself, without a user.' },
  'urn:ietf:params:oauth:grant-type:device_code': {
    label: 'Device code',
    about: 'Users enter a code on another device that has a browser.',
  },
  'urn:ietf:params:oauth:grant-type:token-exchange': {
    label: 'Token exchange',
    about: 'The application exchanges a token that it has received for a token of its own.',
  },
  'urn:bailiwick:api-key': {
    label: 'API key of a user',
    about: 'The application exchanges an API key that it has received for a JWT of five minutes.',
  },
  'urn:ietf:params:oauth:grant-type:jwt-bearer': {
    label: 'Identity assertion (agent)',
    about: "The identity provider of an organization lets the application act for the organization's members.",
  },
}

const methodNames: Readonly<Record<Application['tokenEndpointAuthMethod'], string>> = {
  client_secret_basic: 'Client secret in the Authorization header',
  client_secret_post: 'Client secret in the body',
  private_key_jwt: 'JWT signed with its own private key',
  none: 'Nothing: a public client',
}
const formatNames: readonly Option[] = [
  { value: 'jwt', label: 'JWT: resources verify it themselves' },
  { value: 'opaque', label: 'Opaque: ends at once when it is revoked' },
]

const algorithmNames: readonly Option[] = [
  { value: 'ES256', label: 'ES256' },
  { value: 'RS256', label: 'RS256' },
]

const typeOf = ({ type }: Body) => type as Type
const rulesOf = (body: Body) => applicationTypeRules[typeOf(body)]
const grantTypesOf = (body: Body) =>
  (body['grantTypes'] as readonly ApplicationGrantType[] | undefined) ?? rulesOf(body).grantDefaults
const hasBrowser = (body: Body) => grantTypesOf(body).includes('authorization_code')
const exchangesTokens = (body: Body) => grantTypesOf(body).includes(tokenExchangeGrant)
const hasUsers = (body: Body) => typeOf(body) !== 'machine'
const mayHaveSecret = (body: Body) => rulesOf(body).methods.length > 1
const methodOf = (body: Body) => body['tokenEndpointAuthMethod'] ?? rulesOf(body).methods[0]
const isPublic = (body: Body) => methodOf(body) === 'none'
const hasKeys = (body: Body) => methodOf(body) === 'private_key_jwt'

const grantOptions = (body: Body): readonly Option[] =>
  rulesOf(body).grants.map((value) => ({ value, ...grants[value] }))

const methodOptions = (body: Body): readonly Option[] =>
  rulesOf(body).methods.map((value) => ({ value, label: methodNames[value] }))

const addresses: readonly FieldSpec[] = [
  {
    name: 'redirectUris',
    label: 'Redirect addresses',
    hint: 'The URLs to which the browser can return after sign-in: whole URLs, one on each line.',
    isRequired: true,
    isShown: hasBrowser,
  },
  {
    name: 'postLogoutRedirectUris',
    label: 'Addresses after sign-out',
    hint: 'The URLs to which the browser can return after sign-out: whole URLs, one on each line.',
    isShown: hasBrowser,
  },
  {
    name: 'corsOrigins',
    label: 'Origins',
    hint: 'Origins of pages that can request tokens from the browser, such as https://app.example.com: one on each line.',
    isShown: (body) => typeOf(body) === 'spa' || typeOf(body) === 'web',
  },
  {
    name: 'backchannelLogoutUri',
    label: 'Back-channel logout address',
    hint: 'Gets a logout token whenever the session of one of its users ends.',
    isShown: (body) => typeOf(body) === 'web',
  },
]

const startingPoints: readonly FieldSpec[] = [
  {
    name: 'initiateLoginUri',
    label: 'Address that begins a sign-in',
    hint: 'Users whose request has expired begin again there. OpenID Connect calls it initiate_login_uri.',
    isShown: hasBrowser,
  },
  {
    name: 'homeUri',
    label: 'Home page',
    hint: 'Users begin again there if the application has no address that begins a sign-in.',
    isShown: hasBrowser,
  },
]

const access: readonly FieldSpec[] = [
  {
    name: 'grantTypes',
    label: 'Grant types',
    hint: 'The ways in which the application gets tokens.',
    options: grantOptions,
    fallback: grantTypesOf,
  },
  {
    name: 'requireConsent',
    label: 'Ask users for consent',
    hint: 'Turn it off only for your own applications.',
    isShown: hasUsers,
  },
  {
    name: 'machineScopes',
    isShown: (body) => typeOf(body) === 'machine' && grantTypesOf(body).includes('client_credentials'),
    render: (control) => (
      <Suspense>
        <MachineScopesField control={control} />
      </Suspense>
    ),
  },
  {
    name: 'exchangeFrom',
    isShown: exchangesTokens,
    render: (control) => (
      <ResourcesField
        control={control}
        name="exchangeFrom"
        label="Exchanges tokens of"
        hint="The resources that the application serves, or acts for. It can exchange their access tokens."
      />
    ),
  },
  {
    name: 'exchangeTo',
    isShown: exchangesTokens,
    render: (control) => (
      <ResourcesField
        control={control}
        name="exchangeTo"
        label="Exchanges tokens for"
        hint="The resources for which it can get tokens in exchange."
      />
    ),
  },
]

const security: readonly FieldSpec[] = [
  {
    name: 'tokenEndpointAuthMethod',
    label: 'Client authentication',
    hint: 'How the application authenticates at the token endpoint.',
    options: methodOptions,
    emptyLabel: 'Default',
    fallback: methodOf,
    isRequired: true,
    isShown: mayHaveSecret,
  },
  {
    name: 'jwksUri',
    label: 'Address of its public keys',
    hint: 'A JSON Web Key Set. Give either this address or the keys themselves.',
    placeholder: 'https://app.example.com/.well-known/jwks.json',
    isShown: hasKeys,
  },
  {
    name: 'jwks',
    label: 'Public keys',
    hint: 'A JSON Web Key Set, {"keys": […]}, without any private key.',
    isShown: hasKeys,
  },
  {
    name: 'requirePkce',
    label: 'Require PKCE',
    hint: 'Protects the authorization code against theft. Libraries support it, so leave it on.',
    fallback: () => true,
    isShown: (body) => hasBrowser(body) && !isPublic(body),
  },
  {
    name: 'requireSecondFactor',
    label: 'Require a second factor',
    hint: 'Users prove a second factor before they sign in to this application. Those who have none set one up.',
    isShown: hasBrowser,
  },
  {
    name: 'requirePar',
    label: 'Require pushed requests (PAR)',
    hint: 'The application sends its request to the service directly, so that the browser cannot change it.',
    isShown: hasBrowser,
  },
  {
    name: 'requireDpop',
    label: 'Require DPoP',
    hint: 'Binds tokens to a key of the application, so that a stolen one is worthless.',
  },
]

const tokens: readonly FieldSpec[] = [
  {
    name: 'idTokenSigningAlg',
    label: 'ID token algorithm',
    hint: 'Choose RS256 only for a library that does not support ES256.',
    options: algorithmNames,
    fallback: () => 'ES256',
    isRequired: true,
    isShown: hasUsers,
  },
  {
    name: 'accessTokenFormat',
    label: 'Access token format',
    hint: 'A resource can decide otherwise for its own tokens.',
    options: formatNames,
    fallback: () => 'jwt',
    isRequired: true,
  },
  {
    name: 'accessTokenTtl',
    label: 'Access token lifetime',
    hint: 'From 1 minute to 1 day. If empty, the default of the tenant.',
    isSeconds: true,
  },
  {
    name: 'refreshTokenTtl',
    label: 'Refresh token lifetime',
    hint: 'From 5 minutes to 1 year. If empty, the default of the tenant.',
    isSeconds: true,
    isShown: (body) => grantTypesOf(body).includes('refresh_token'),
  },
  {
    name: 'refreshTokenRotation',
    label: 'Replace refresh tokens when they are used',
    hint: 'A refresh token that is used twice then ends the access.',
    fallback: () => true,
    isShown: (body) => grantTypesOf(body).includes('refresh_token') && !isPublic(body),
  },
]

const appearance: readonly FieldSpec[] = [
  {
    name: 'logoId',
    isShown: hasUsers,
    render: (control) => (
      <PictureField control={control} name="logoId" label="Logo" hint="Users see it when they are asked for consent." />
    ),
  },
  { name: 'termsUri', label: 'Terms of service', hint: 'The address of the page.', isShown: hasUsers },
  { name: 'policyUri', label: 'Privacy policy', hint: 'The address of the page.', isShown: hasUsers },
]

const sections = {
  Addresses: [...addresses, ...startingPoints],
  Access: access,
  Security: security,
  Tokens: tokens,
  'For users': appearance,
}

/** The fields of an existing application. */
export function applicationFields(type: Type): readonly FieldSpec[] {
  const within = (body: Body): Body => ({ ...body, type })
  const fields = Object.entries(sections).flatMap(([section, specs]) =>
    specs.map((spec): FieldSpec => {
      if (typeof spec === 'string') return spec
      const { isShown, options, fallback } = spec
      return {
        ...spec,
        section,
        ...(isShown === undefined ? {} : { isShown: (body: Body) => isShown(within(body)) }),
        ...(typeof options === 'function' ? { options: (body: Body) => options(within(body)) } : {}),
        ...(fallback === undefined ? {} : { fallback: (body: Body) => fallback(within(body)) }),
      }
    }),
  )
  return ['name', ...fields]
}

/** What a new application cannot do without. The rest has defaults, and is set on its own page. */
const firstNames = ['redirectUris', 'machineScopes']

/** The fields of a new application: its name and type, and where it takes its users or what it may do by itself. */
export const newApplicationFields = (): readonly FieldSpec[] => [
  'name',
  {
    name: 'type',
    options: Object.entries(typeNames).map(([value, label]) => ({ value, label })),
    hint: 'It cannot be changed later.',
  },
  ...[...addresses, ...access].filter((spec) => typeof spec !== 'string' && firstNames.includes(spec.name)),
]
