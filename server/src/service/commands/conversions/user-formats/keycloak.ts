// Keycloak: the JSON that `kc.sh export --users realm_file` (or one of the files of `different_files`) writes. The admin console's own
// export contains no passwords.
import type { ImportedPasswordHash } from '@bailiwick/contract'
import { CommandRefused, exitStatus } from '../../../outcome.ts'
import type { ForeignPassword, ForeignUser } from './foreign-user.ts'
import { type Json, assertRecords, fullName, isRecord, isTrueAt, parseJson, textAt, timeAt } from './records.ts'

/** `secretData` and `credentialData` contain JSON as text. */
function dataOf(credential: Json, name: string): Json {
  const value = parseJson(textAt(credential, name) ?? '{}', name)
  return isRecord(value) ? value : {}
}

const withoutPadding = (base64: string) => base64.replace(/=+$/, '')

/** Returns the hash in the form that argon2 writes: Keycloak stores the parameters beside the hash. */
function argon2id(hash: string, salt: string, iterations: number, parameters: Json): ForeignPassword {
  const first = (name: string) => (parameters[name] as readonly string[] | undefined)?.[0] ?? ''
  if (first('type') !== 'id') return { unusable: `argon2${first('type')} cannot be imported, only argon2id` }
  const version = first('version') === '1.0' ? 16 : 19
  const costs = `m=${first('memory')},t=${iterations},p=${first('parallelism')}`
  const text = `$argon2id$v=${version}$${costs}$${withoutPadding(salt)}$${withoutPadding(hash)}`
  return { hash: { algorithm: 'argon2id', hash: text } }
}

const pbkdf2Algorithms: Readonly<Record<string, ImportedPasswordHash['algorithm']>> = {
  'pbkdf2-sha256': 'pbkdf2-sha256',
  'pbkdf2-sha512': 'pbkdf2-sha512',
}

function passwordOf(credentials: readonly Json[]): ForeignPassword | undefined {
  const credential = credentials.find((each) => each['type'] === 'password')
  if (credential === undefined) return undefined
  const secret = dataOf(credential, 'secretData')
  const data = dataOf(credential, 'credentialData')
  const [hash = '', salt = ''] = [textAt(secret, 'value'), textAt(secret, 'salt')]
  const name = textAt(data, 'algorithm') ?? ''
  const iterations = Number(data['hashIterations'])
  if (name === 'argon2') {
    const { additionalParameters: parameters } = data
    return argon2id(hash, salt, iterations, isRecord(parameters) ? parameters : {})
  }
  const algorithm = pbkdf2Algorithms[name]
  if (algorithm === undefined)
    return { unusable: `hashes made by ${name || 'an unknown algorithm'} cannot be imported` }
  return { hash: { algorithm, hash, salt, params: { iterations } } }
}

const credentialNames: Readonly<Record<string, string>> = {
  otp: 'the authenticator app',
  webauthn: 'a security key',
  'webauthn-passwordless': 'a passkey',
  'recovery-authn-codes': 'recovery codes',
}

function userOf(record: Json): ForeignUser {
  const credentials = assertRecords((record['credentials'] ?? []) as readonly unknown[], 'credentials')
  const connections = assertRecords((record['federatedIdentities'] ?? []) as readonly unknown[], 'federatedIdentities')
  const { attributes } = record
  return {
    id: textAt(record, 'id') ?? '',
    email: textAt(record, 'email'),
    emailVerified: isTrueAt(record, 'emailVerified'),
    username: textAt(record, 'username'),
    name: fullName(textAt(record, 'firstName'), textAt(record, 'lastName')),
    isDisabled: record['enabled'] === false,
    createdAt: timeAt(record, 'createdTimestamp'),
    meta: isRecord(attributes) && Object.keys(attributes).length > 0 ? { attributes } : {},
    password: passwordOf(credentials),
    leftBehind: [
      ...credentials.flatMap(({ type }) => credentialNames[String(type)] ?? []),
      ...connections.map((each) => `the connection to ${String(each['identityProvider'])}`),
    ],
  }
}

export function keycloakUsers(text: string): readonly ForeignUser[] {
  const value = parseJson(text, 'the file')
  const users = isRecord(value) ? value['users'] : value
  if (!Array.isArray(users)) throw new CommandRefused('the file has no array "users"', exitStatus.problems)
  // Keycloak also stores service accounts as users.
  const people = assertRecords(users, 'users').filter(
    (record) => textAt(record, 'serviceAccountClientId') === undefined,
  )
  return people.map(userOf)
}
