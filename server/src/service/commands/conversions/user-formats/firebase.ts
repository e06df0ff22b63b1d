// Firebase: the JSON that `firebase auth:export users.json` writes, and the `hash_config { … }` that the console shows under "Password
// hash parameters" (https://firebase.google.com/docs/cli/auth).
import { CommandRefused, exitStatus } from '../../../outcome.ts'
import type { ForeignPassword, ForeignUser } from './foreign-user.ts'
import { type Json, assertRecords, isRecord, isTrueAt, parseJson, textAt, timeAt } from './records.ts'

interface HashConfig {
  readonly signerKey: string
  readonly saltSeparator: string
  readonly rounds: number
  readonly memCost: number
}

/** @throws CommandRefused, which names the missing value. */
function readHashConfig(text: string): HashConfig {
  const at = (name: string) => {
    const value = new RegExp(`\\b${name}"?\\s*:\\s*"?([\\w+/=-]+)`).exec(text)?.[1]
    if (value === undefined) throw new CommandRefused(`the hash configuration has no ${name}`, exitStatus.problems)
    return value
  }
  return {
    signerKey: at('base64_signer_key'),
    saltSeparator: at('base64_salt_separator'),
    rounds: Number(at('rounds')),
    memCost: Number(at('mem_cost')),
  }
}

function passwordOf(record: Json, params: HashConfig | undefined): ForeignPassword | undefined {
  const hash = textAt(record, 'passwordHash')
  if (hash === undefined) return undefined
  if (params === undefined) {
    throw new CommandRefused(
      'there are passwords in the file: --hash-config must name a file with hash_config { … }',
      exitStatus.usage,
    )
  }
  const salt = textAt(record, 'salt')
  // Firebase exports no other hashes. Hashes of another algorithm that were imported there have no salt of their own.
  if (salt === undefined) return { unusable: 'the hash has no salt, so it was not made by Firebase’s own algorithm' }
  return { hash: { algorithm: 'firebase-scrypt', hash, salt, params } }
}

function claimsOf(record: Json): Json {
  const text = textAt(record, 'customAttributes')
  if (text === undefined) return {}
  return { customClaims: parseJson(text, `customAttributes of ${String(record['localId'])}`) }
}

function userOf(record: Json, config: HashConfig | undefined): ForeignUser {
  const { providerUserInfo: providers = [] } = record
  const connections = assertRecords(providers as readonly unknown[], 'providerUserInfo')
  return {
    id: textAt(record, 'localId') ?? '',
    email: textAt(record, 'email'),
    emailVerified: isTrueAt(record, 'emailVerified'),
    phone: textAt(record, 'phoneNumber'),
    // The phone number signs in at Firebase with a code that is sent to it.
    phoneVerified: true,
    name: textAt(record, 'displayName'),
    isDisabled: isTrueAt(record, 'disabled'),
    createdAt: timeAt(record, 'createdAt'),
    meta: claimsOf(record),
    password: passwordOf(record, config),
    leftBehind: connections.map((each) => `the connection to ${String(each['providerId'])}`),
  }
}

export function firebaseUsers(text: string, hashConfig: string | undefined): readonly ForeignUser[] {
  const config = hashConfig === undefined ? undefined : readHashConfig(hashConfig)
  const value = parseJson(text, 'the file')
  const users = isRecord(value) ? value['users'] : undefined
  if (!Array.isArray(users)) throw new CommandRefused('the file has no array "users"', exitStatus.problems)
  return assertRecords(users, 'users').map((record) => userOf(record, config))
}
