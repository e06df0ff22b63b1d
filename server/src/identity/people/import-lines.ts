// Reads one line of an import, checks it and compares it with existing users. Every problem of a line is reported here, before anything is
// written.
import {
  type Attribute,
  type ErrorCode,
  type ImportedUser as ImportedUserLine,
  ImportedUser,
  type Issue,
  canonicalPhone,
  canonicalUsername,
  emailKey,
  errorCatalogue,
  foldCase,
  isPassword,
  parseCursor,
  usernameKey,
} from '@bailiwick/contract'
import type { Timestamp } from '../../platform/clock.ts'
import { encodeImportedHash } from '../../platform/crypto/imported-hash.ts'
import type { Reader } from '../../platform/db/database.ts'
import { type Line, parseLine } from '../../platform/http/body/ndjson.ts'
import { isPast } from '../../platform/http/ends.ts'
import type { TenantId } from '../../platform/ids.ts'
import type { RoleRow } from '../../tenancy/roles/find-role.ts'
import { metaIssues } from '../../tenancy/tenants/attributes/values.ts'
import type { Deps } from '../deps.ts'
import { type KnownKeys, selectKnownKeys } from './import-queries.ts'

/** A line that can be written without changes. */
export interface WantedUser {
  readonly line: number
  readonly input: ImportedUserLine
  readonly role: RoleRow | undefined
  readonly roleEnd: Timestamp | null
  /** The encoded form of a hash that the line brings along. */
  readonly encodedHash: string | undefined
}

export type ReadLine = WantedUser | { readonly line: number; readonly issues: readonly Issue[] }

export type Classified =
  | { readonly kind: 'new'; readonly wanted: WantedUser }
  | { readonly kind: 'exists'; readonly line: number; readonly id: string }
  /** The same person as an earlier line of the batch; exists once that line is written. */
  | { readonly kind: 'repeats'; readonly line: number; readonly of: WantedUser }
  | { readonly kind: 'error'; readonly line: number; readonly issues: readonly Issue[] }

const issue = (path: string, code: string, message: string): Issue => ({ path, code, message })
const taken = (path: string, code: ErrorCode): Issue => issue(path, code, errorCatalogue[code].message)

function ruleIssues(user: ImportedUserLine, now: string): Issue[] {
  const issues: Issue[] = []
  const add = (path: string, code: string, message: string) => issues.push(issue(path, code, message))
  if (user.id === undefined && user.email === undefined && user.username === undefined && user.phone === undefined) {
    add('', 'required', 'must have an id, an email, a username or a phone, so that a repeated import can find the user')
  }
  if (user.emailVerified === true && user.email === undefined) add('/emailVerified', 'contradicts', 'requires an email')
  if (user.phoneVerified === true && user.phone === undefined) add('/phoneVerified', 'contradicts', 'requires a phone')
  if (user.emailClaimed === true && user.email === undefined) add('/emailClaimed', 'contradicts', 'requires an email')
  if (user.phoneClaimed === true && user.phone === undefined) add('/phoneClaimed', 'contradicts', 'requires a phone')
  const isBoth = 'cannot be both claimed and verified'
  if (user.emailClaimed === true && user.emailVerified === true) add('/emailClaimed', 'contradicts', isBoth)
  if (user.phoneClaimed === true && user.phoneVerified === true) add('/phoneClaimed', 'contradicts', isBoth)
  if (user.password !== undefined && user.passwordHash !== undefined) {
    add('/passwordHash', 'contradicts', 'cannot be combined with a password')
  }
  const createdAt = user.createdAt === undefined ? undefined : parseCursor(user.createdAt)?.from
  if (createdAt !== undefined && createdAt > now) add('/createdAt', 'too_late', 'must not be in the future')
  return issues
}

/** Reads a line; `findRole` returns the role by the key of its name. */
export async function readUserLine(
  { clock }: Deps,
  attributes: readonly Attribute[],
  line: Line,
  findRole: (nameKey: string) => Promise<RoleRow | undefined>,
): Promise<ReadLine> {
  const { number } = line
  const parsed = parseLine<ImportedUserLine>(ImportedUser, line)
  if ('issues' in parsed) return { line: number, issues: parsed.issues }
  const input = parsed.value
  const issues = [...ruleIssues(input, clock.now()), ...metaIssues(attributes, input.publicMeta)]
  const role = input.roleName === undefined ? undefined : await findRole(foldCase(input.roleName))
  if (input.roleName !== undefined && role === undefined) {
    issues.push(issue('/roleName', 'unknown_reference', 'is not a role of this tenant'))
  }
  const hash = input.passwordHash === undefined ? undefined : encodeImportedHash(input.passwordHash)
  if (hash !== undefined && 'issue' in hash) {
    issues.push({ ...hash.issue, path: `/passwordHash${hash.issue.path}` })
  }
  const end = input.roleExpiresAt ?? null
  const roleEnd = end === null ? null : ((parseCursor(end)?.from ?? '') as Timestamp)
  if (end !== null && input.roleName === undefined)
    issues.push(issue('/roleExpiresAt', 'not_allowed', 'cannot be set without a role'))
  if (isPast(roleEnd, clock.now())) issues.push(issue('/roleExpiresAt', 'too_early', 'must be in the future'))
  if (issues.length > 0) return { line: number, issues }
  return {
    line: number,
    input,
    role,
    roleEnd,
    encodedHash: hash !== undefined && 'encoded' in hash ? hash.encoded : undefined,
  }
}

/** The keys by which a line's user is known, in the form that is stored. */
function keysOf({ id, email, username, phone }: ImportedUserLine) {
  return {
    id,
    email: email === undefined ? undefined : emailKey(email),
    username: username === undefined ? undefined : usernameKey(canonicalUsername(username)),
    phone: phone === undefined ? undefined : canonicalPhone(phone),
  }
}

type Keys = ReturnType<typeof keysOf>

/** The existing user who has a key, or the earlier line of the same batch that will have it. */
type Owner = { readonly id: string } | { readonly wanted: WantedUser }

class Owners {
  readonly #owners = new Map<string, Owner>()

  constructor(known: KnownKeys) {
    for (const [kind, ids] of Object.entries(known)) {
      for (const [key, id] of ids) this.#owners.set(`${kind}:${key}`, { id })
    }
  }

  of(kind: keyof Keys, key: string | undefined): Owner | undefined {
    return key === undefined ? undefined : this.#owners.get(`${kind}:${key}`)
  }

  claim(keys: Keys, wanted: WantedUser) {
    for (const [kind, key] of Object.entries(keys))
      if (key !== undefined) this.#owners.set(`${kind}:${key}`, { wanted })
  }
}

function classifyOne(wanted: WantedUser, keys: Keys, owners: Owners): Classified {
  const { line } = wanted
  const isNamed = keys.id !== undefined || keys.email !== undefined
  const byName = owners.of('id', keys.id) ?? owners.of('email', keys.email)
  const same = isNamed ? byName : (owners.of('username', keys.username) ?? owners.of('phone', keys.phone))
  if (same !== undefined) {
    return 'id' in same ? { kind: 'exists', line, id: same.id } : { kind: 'repeats', line, of: same.wanted }
  }
  const issues = [
    ...(owners.of('username', keys.username) === undefined ? [] : [taken('/username', 'username_taken')]),
    ...(owners.of('phone', keys.phone) === undefined ? [] : [taken('/phone', 'phone_taken')]),
  ]
  if (issues.length > 0) return { kind: 'error', line, issues }
  owners.claim(keys, wanted)
  return { kind: 'new', wanted }
}

const isDefined = (key: string | undefined): key is string => key !== undefined

/** Says of each line whether it is new, in the order of the lines, because an earlier line may be the same person. */
export async function classify(
  db: Reader,
  tenantId: TenantId,
  lines: readonly ReadLine[],
): Promise<readonly Classified[]> {
  const keys = new Map(lines.flatMap((read) => ('input' in read ? [[read, keysOf(read.input)] as const] : [])))
  const all = [...keys.values()]
  const owners = new Owners(
    await selectKnownKeys(db, tenantId, {
      id: all.map((each) => each.id).filter(isDefined),
      email: all.map((each) => each.email).filter(isDefined),
      username: all.map((each) => each.username).filter(isDefined),
      phone: all.map((each) => each.phone).filter(isDefined),
    }),
  )
  return lines.map((read) => {
    if (!('input' in read)) return { kind: 'error', ...read }
    return classifyOne(read, keysOf(read.input), owners)
  })
}

/** The contract has checked the password already; one that gets here unchecked is a bug. */
export function passwordOf({ input }: WantedUser): string | undefined {
  if (input.password !== undefined && !isPassword(input.password)) throw new Error('an unchecked password')
  return input.password
}
