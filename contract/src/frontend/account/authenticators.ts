import { integer, object, shortListQuery } from '../../schema.ts'
import { sampleCredential, samplePasskey, sampleRecoveryCodes } from '../examples.ts'
import { ConfirmAuthenticatorCode, NewAuthenticator } from '../flow-shapes.ts'
import { frontendEndpoint, listExample, listOf, upgradeErrorCodes } from '../frontend-endpoint.ts'
import {
  CreatePasskey,
  CreatedPasskey,
  CreationOptions,
  Passkey,
  PasskeyOptionsInput,
  PasskeySignals,
  RecoveryCodes,
  TrustedDevice,
  UpdatePasskey,
  idParams,
  rotated,
} from '../shapes.ts'

const common = { tag: 'Own authenticators', session: 'required' } as const
const params = { id: samplePasskey.id }
const fresh = 'Requires a session that began with a sign-in at most ten minutes ago.'

export const createAuthenticatorCode = frontendEndpoint({
  ...common,
  id: 'createAuthenticatorCode',
  method: 'POST',
  path: '/user/totp',
  summary: 'Begin to set up an authenticator app',
  description: `${fresh} The present app remains valid until the new one is confirmed.`,
  data: NewAuthenticator,
  errors: ['reauthentication_required', 'second_factor_required', 'strategy_unavailable'],
  example: {
    response: {
      secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
      uri: 'otpauth://totp/Acme:ada%40acme.example?issuer=Acme&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&algorithm=SHA1&digits=6&period=30',
    },
  },
})

export const confirmAuthenticatorCode = frontendEndpoint({
  ...common,
  id: 'confirmAuthenticatorCode',
  method: 'POST',
  path: '/user/totp/confirm',
  summary: 'Confirm the authenticator app, which makes it a second factor',
  description: 'Must follow within ten minutes, in the same session. The recovery codes are shown only this once.',
  body: ConfirmAuthenticatorCode,
  data: RecoveryCodes,
  errors: ['attempt_not_open', 'factor_refused', 'second_factor_required', 'strategy_unavailable', 'too_many_attempts'],
  example: { body: { code: '271828' }, response: { recoveryCodes: sampleRecoveryCodes } },
})

export const deleteAuthenticatorCode = frontendEndpoint({
  ...common,
  id: 'deleteAuthenticatorCode',
  method: 'DELETE',
  path: '/user/totp',
  summary: 'Remove the authenticator app',
  description: `${fresh} With the last second factor the recovery codes are removed too.`,
  data: object({ ...rotated }),
  errors: ['reauthentication_required', 'second_factor_required'],
  example: { response: {} },
})

export const getRecoveryCodes = frontendEndpoint({
  ...common,
  id: 'getRecoveryCodes',
  method: 'GET',
  path: '/user/recovery-codes',
  summary: 'Count the unused recovery codes',
  description: 'The codes themselves are shown only when they are created.',
  data: object({ left: integer() }),
  errors: [],
  example: { response: { left: 10 } },
})

export const createRecoveryCodes = frontendEndpoint({
  ...common,
  id: 'createRecoveryCodes',
  method: 'POST',
  path: '/user/recovery-codes',
  summary: 'Replace the recovery codes with ten new ones, each of which works once as a second factor',
  description: fresh,
  data: RecoveryCodes,
  errors: ['reauthentication_required', 'second_factor_missing'],
  example: { response: { recoveryCodes: sampleRecoveryCodes } },
})

export const createPasskeyOptions = frontendEndpoint({
  ...common,
  id: 'createPasskeyOptions',
  method: 'POST',
  path: '/user/passkeys/options',
  summary: 'Create the options for navigator.credentials.create()',
  description: `${fresh} The challenge can be used once, within five minutes, in this session.`,
  query: PasskeyOptionsInput,
  data: object({ publicKeyOptions: CreationOptions }),
  errors: ['passkey_limit_reached', 'reauthentication_required', 'second_factor_required', 'strategy_unavailable'],
  example: {
    response: {
      publicKeyOptions: {
        challenge: 'J2Kq0uC3eGm7p1oV9yXwT5rL8sZbNfHdQaMiUkWcE4x',
        rp: { id: 'login.acme.example', name: 'Acme' },
        user: { id: 'Y21pN3g5cTNhMWc0bDllMm82czh1NXg3Yg', name: 'ada@acme.example', displayName: 'Ada' },
        pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
      },
    },
  },
})

export const createPasskey = frontendEndpoint({
  ...common,
  id: 'createPasskey',
  method: 'POST',
  path: '/user/passkeys',
  summary: 'Add a passkey or security key',
  description:
    'Send the result of navigator.credentials.create() as JSON. A user without recovery codes gets ten, which are shown only this once. The key is a second ' +
    'factor; a passkey that verifies its user can also sign in without another factor.',
  body: CreatePasskey,
  bodyBytesMax: 64 * 1024,
  data: CreatedPasskey,
  errors: [
    ...upgradeErrorCodes,
    'passkey_exists',
    'passkey_limit_reached',
    'passkey_refused',
    'second_factor_required',
    'strategy_unavailable',
  ],
  example: { body: { credential: sampleCredential, name: 'Laptop' }, response: { passkey: samplePasskey } },
})

export const listPasskeys = frontendEndpoint({
  ...common,
  id: 'listPasskeys',
  method: 'GET',
  path: '/user/passkeys',
  summary: "List the user's passkeys and security keys",
  description:
    'Lists the oldest first, with the time of the last use. Passkeys that verify their user can sign in without another factor; other keys are a second factor.',
  query: shortListQuery,
  data: listOf('passkeys', Passkey),
  errors: [],
  example: { response: listExample('passkeys', samplePasskey) },
})

export const getPasskeySignals = frontendEndpoint({
  ...common,
  id: 'getPasskeySignals',
  method: 'GET',
  path: '/user/passkeys/signals',
  summary: 'Get what password managers should know of the passkeys of the user',
  description:
    'Give signals to PublicKeyCredential.signalAllAcceptedCredentials() and signalCurrentUserDetails(), so that removed passkeys and changed names ' +
    'reach the password manager.',
  data: PasskeySignals,
  errors: [],
  example: {
    response: {
      offered: false,
      signals: {
        rpId: 'login.acme.example',
        userId: 'Y21pN3g5cTNhMWc0bDllMm82czh1NXg3Yg',
        allAcceptedCredentialIds: [sampleCredential.id],
        name: 'ada@acme.example',
        displayName: 'Ada',
      },
    },
  },
})

export const updatePasskey = frontendEndpoint({
  ...common,
  id: 'updatePasskey',
  method: 'PATCH',
  path: '/user/passkeys/{id}',
  summary: 'Rename a passkey',
  description: 'Only the user sees the name, to distinguish keys; null removes it.',
  params: idParams,
  body: UpdatePasskey,
  data: object({ passkey: Passkey }),
  errors: [],
  example: { params, body: { name: 'Laptop' }, response: { passkey: samplePasskey } },
})

export const deletePasskey = frontendEndpoint({
  ...common,
  id: 'deletePasskey',
  method: 'DELETE',
  path: '/user/passkeys/{id}',
  summary: 'Remove a passkey',
  description: fresh,
  params: idParams,
  data: object({ passkey: Passkey, ...rotated }),
  errors: ['last_way_in', 'reauthentication_required', 'second_factor_required'],
  example: { params, response: { passkey: samplePasskey } },
})

const sampleTrustedDevice = {
  id: samplePasskey.id,
  browser: 'Firefox',
  os: 'Linux',
  factor: 'authenticator_code',
  current: true,
  expiresAt: '2026-12-20T22:49:43.018032Z',
  createdAt: samplePasskey.createdAt,
} as const

export const listTrustedDevices = frontendEndpoint({
  ...common,
  id: 'listTrustedDevices',
  method: 'GET',
  path: '/user/trusted-devices',
  summary: 'List the devices on which the user is not asked for a second factor, oldest first',
  description: 'A device is trusted for as many days as the tenant has set, or until the password or a factor changes.',
  query: shortListQuery,
  data: listOf('trustedDevices', TrustedDevice),
  errors: [],
  example: { response: listExample('trustedDevices', sampleTrustedDevice) },
})

export const deleteTrustedDevice = frontendEndpoint({
  ...common,
  id: 'deleteTrustedDevice',
  method: 'DELETE',
  path: '/user/trusted-devices/{id}',
  summary: 'Ask for the second factor on a device again',
  description: 'The next sign-in on the device needs the second factor. Sessions on it continue.',
  params: idParams,
  data: object({ trustedDevice: TrustedDevice }),
  errors: [],
  example: { params, response: { trustedDevice: sampleTrustedDevice } },
})
