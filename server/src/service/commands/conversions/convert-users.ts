// Turns another service's export of users into the lines of an import: docs/importing-users.md.
import { readFileSync, writeFileSync } from 'node:fs'
import { CommandRefused, type Outcome } from '../../outcome.ts'
import { auth0Users } from './user-formats/auth0.ts'
import { betterAuthUsers } from './user-formats/better-auth.ts'
import { clerkUsers } from './user-formats/clerk.ts'
import { firebaseUsers } from './user-formats/firebase.ts'
import { type ForeignUser, convertUser } from './user-formats/foreign-user.ts'
import { keycloakUsers } from './user-formats/keycloak.ts'
import type { UserFormat } from './user-formats/names.ts'

type ReadUsers = (text: string, hashConfig: string | undefined) => readonly ForeignUser[]

const formats: Readonly<Record<UserFormat, ReadUsers>> = {
  clerk: clerkUsers,
  auth0: auth0Users,
  firebase: firebaseUsers,
  'better-auth': betterAuthUsers,
  keycloak: keycloakUsers,
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new CommandRefused(`${file} cannot be read: ${(error as Error).message}`)
  }
}

interface ConvertOptions {
  readonly output: string
  /** The path of a file that Firebase's password hashes require. */
  readonly hashConfig?: string
}

/** Writes one line for each user. Only the owner may read the file, because it contains password hashes. */
export function convertUsers(format: UserFormat, file: string, options: ConvertOptions): Outcome {
  const { output, hashConfig } = options
  const foreign = formats[format](read(file), hashConfig === undefined ? undefined : read(hashConfig))
  const users = foreign.map(convertUser)
  writeFileSync(output, users.map(({ line }) => `${JSON.stringify(line)}\n`).join(''), { mode: 0o600 })
  const withPassword = users.filter(({ line }) => line.passwordHash !== undefined).length
  const notes = [
    ...Map.groupBy(
      users.flatMap((user) => user.notes),
      (note) => note,
    ),
  ]
    .map(([leftBehind, { length }]) => ({ leftBehind, users: length }))
    .toSorted((a, b) => b.users - a.users)
  const summary = `${users.length} users are in ${output}, ${withPassword} of them with their password.`
  const lines = notes.map((note) => `of ${note.users}: ${note.leftBehind}`)
  return {
    text: notes.length === 0 ? summary : [`${summary} Not converted:`, ...lines].join('\n  - '),
    json: { users: users.length, withPassword, leftBehind: notes },
  }
}
