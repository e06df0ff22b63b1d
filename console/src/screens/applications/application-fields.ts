import type { FieldSpec } from '../../form/operation-form.tsx'

export const typeNames = {
  web: 'Web: an app with a server',
  spa: 'Single page: an app that runs in the browser',
  native: 'Native: an app on a phone, a computer or the command line',
  device: 'Device: without a browser, such as a television',
  machine: 'Machine: a service that acts for itself',
} as const

type Body = Readonly<Record<string, unknown>>
const hasBrowser = ({ type }: Body) => type !== 'machine' && type !== 'device'
const isConfidential = ({ type }: Body) => type === 'web' || type === 'machine'

/** @param type of an application that there is; a new one has it among its fields. */
export function applicationFields(type?: string): readonly FieldSpec[] {
  const when = (rule: (body: Body) => boolean) => (body: Body) => rule(type === undefined ? body : { type })
  return [
    'name',
    {
      name: 'redirectUris',
      label: 'Redirect addresses',
      hint: 'One on each line, as whole addresses: where the browser comes back to.',
      isShown: when(hasBrowser),
    },
    {
      name: 'postLogoutRedirectUris',
      label: 'Addresses after signing out',
      hint: 'One on each line.',
      isShown: when(hasBrowser),
    },
    {
      name: 'corsOrigins',
      label: 'Origins of pages',
      hint: 'One on each line: pages there may ask for tokens from the browser.',
      isShown: when((body) => body['type'] === 'spa'),
    },
    {
      name: 'backchannelLogoutUri',
      label: 'Back-channel logout address',
      hint: 'Is told when a session ends.',
      isShown: when((body) => body['type'] === 'web'),
    },
    {
      name: 'requireConsent',
      label: 'Ask users for consent',
      isShown: when((body) => body['type'] !== 'machine'),
    },
    {
      name: 'machineScopes',
      label: 'What it may do for itself',
      hint: 'JSON: [{"resourceId": "…", "scopes": ["articles:read"]}]',
      isShown: when((body) => body['type'] === 'machine'),
    },
    { name: 'tokenEndpointAuthMethod', label: 'How it shows who it is', isShown: when(isConfidential) },
    { name: 'accessTokenFormat', label: 'Format of access tokens' },
    { name: 'accessTokenTtl', label: 'Access tokens last (seconds)' },
    {
      name: 'refreshTokenTtl',
      label: 'Refresh tokens last (seconds)',
      isShown: when((body) => body['type'] !== 'machine'),
    },
    { name: 'termsUri', label: 'Address of its terms', isShown: when((body) => body['type'] !== 'machine') },
    { name: 'policyUri', label: 'Address of its privacy policy', isShown: when((body) => body['type'] !== 'machine') },
  ]
}
