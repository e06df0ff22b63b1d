// What the columns of a file of separated values mean, and the users that they make.
import { type CsvRecord, type Separator, findSeparator, readRecords } from './csv.ts'
import { linesOf, readText } from './file-text.ts'

/** What a column can be imported as. */
export const targets = [
  { value: '', label: 'Leave out' },
  { value: 'email', label: 'E-mail address' },
  { value: 'emailVerified', label: 'E-mail address is verified' },
  { value: 'phone', label: 'Phone number' },
  { value: 'phoneVerified', label: 'Phone number is verified' },
  { value: 'username', label: 'Username' },
  { value: 'name', label: 'Name' },
  { value: 'firstName', label: 'First name' },
  { value: 'lastName', label: 'Last name' },
  { value: 'roleName', label: 'Role, by its name' },
  { value: 'roleExpiresAt', label: 'When the role ends' },
  { value: 'status', label: 'Status' },
  { value: 'locale', label: 'Language' },
  { value: 'timezone', label: 'Time zone' },
  { value: 'createdAt', label: 'When the user was created' },
  { value: 'password', label: 'Password' },
  { value: 'passwordHash', label: 'Password hash (bcrypt or argon2id)' },
  { value: 'publicMeta', label: 'Public data, under the name of the column' },
  { value: 'privateMeta', label: 'Private data, under the name of the column' },
] as const
export type Target = (typeof targets)[number]['value']

export interface Column {
  readonly name: string
  /** The first value, to recognize the column by. */
  readonly example: string
  readonly target: Target
}

/** The names that other systems have for a target, as {@link plain} makes them. */
const synonyms: Readonly<Record<Exclude<Target, ''>, string>> = {
  email: 'email mail emailaddress primaryemail primaryemailaddress emailadresse',
  emailVerified: 'emailverified emailconfirmed verified',
  phone: 'phone phonenumber primaryphonenumber mobile mobilephone telephone telefon telefonnummer',
  phoneVerified: 'phoneverified phonenumberverified phoneconfirmed',
  username: 'username login loginname nickname benutzername',
  name: 'name fullname displayname',
  firstName: 'firstname givenname vorname',
  lastName: 'lastname familyname surname nachname',
  roleName: 'role rolename rolle',
  roleExpiresAt: 'roleexpiresat roleends roleend roleuntil rolleendet rollebis',
  status: 'status state',
  locale: 'locale language lang sprache',
  timezone: 'timezone zoneinfo zeitzone',
  createdAt: 'createdat created creationtime signupdate registeredat',
  password: 'password passwort',
  passwordHash: 'passwordhash passworddigest hash encryptedpassword',
  publicMeta: 'publicmetadata usermetadata',
  privateMeta: 'privatemetadata appmetadata id userid uid externalid previousid',
}

const plain = (text: string) => text.toLowerCase().replaceAll(/[^a-z]/g, '')

const guessTarget = (name: string): Target =>
  targets.find(({ value }) => value !== '' && synonyms[value].split(' ').includes(plain(name)))?.value ?? ''

export interface CsvFile {
  readonly separator: Separator
  readonly columns: readonly Column[]
}

/** Reads the names of the columns, and what each is probably. */
export async function readColumns(file: Blob, signal: AbortSignal): Promise<CsvFile> {
  let header = ''
  for await (const { text } of linesOf(file, signal)) {
    header = text
    break
  }
  const separator = findSeparator(header)
  const first: CsvRecord[] = []
  for await (const record of readRecords(readText(file, signal), separator)) {
    first.push(record)
    if (first.length === 2) break
  }
  const taken = new Set<Target>()
  const columns = (first[0]?.cells ?? []).map((name, index) => {
    const guess = guessTarget(name)
    const target = isRepeatable(guess) || !taken.has(guess) ? guess : ''
    taken.add(target)
    return { name: name.trim(), example: first[1]?.cells[index] ?? '', target }
  })
  return { separator, columns }
}

export const isRepeatable = (target: Target): boolean =>
  target === '' || target === 'publicMeta' || target === 'privateMeta'

const yes = /^(?:true|t|yes|y|1|ja|x)$/i

const hashAlgorithm = (hash: string) =>
  hash.startsWith('$2') ? 'bcrypt' : hash.startsWith('$argon2id$') ? 'argon2id' : 'unknown'

function valueFor(target: Target, text: string): unknown {
  if (target === 'emailVerified' || target === 'phoneVerified') return yes.test(text)
  if (target === 'status') return text.toLowerCase()
  if (target === 'passwordHash') return { algorithm: hashAlgorithm(text), hash: text }
  if (target !== 'createdAt' && target !== 'roleExpiresAt') return text
  const time = Date.parse(text)
  return Number.isNaN(time) ? text : new Date(time).toISOString()
}

/** Returns the user of a record; undefined for an empty one. A cell without text is left out. */
export function readUser(cells: readonly string[], columns: readonly Column[]): object | undefined {
  const user: Record<string, unknown> = {}
  const data = { publicMeta: {} as Record<string, string>, privateMeta: {} as Record<string, string> }
  for (const [index, { name, target }] of columns.entries()) {
    const text = (cells[index] ?? '').trim()
    if (text === '' || target === '') continue
    if (target === 'publicMeta' || target === 'privateMeta') data[target][name] = text
    else user[target] = valueFor(target, text)
  }
  for (const [name, values] of Object.entries(data)) if (Object.keys(values).length > 0) user[name] = values
  const parts = [user['firstName'], user['lastName']].filter((each) => typeof each === 'string')
  if (user['name'] === undefined && parts.length > 0) user['name'] = parts.join(' ')
  // Only an address that is there can be verified.
  if (user['email'] === undefined) delete user['emailVerified']
  if (user['phone'] === undefined) delete user['phoneVerified']
  return cells.some((cell) => cell.trim() !== '') ? user : undefined
}

/** Joins lines into parts of a size that the browser may put on its disk. */
const partLines = 1000

/** Returns the users as lines of JSON. Each has the number of the line on which its record begins; the lines between are empty. */
export async function toLines(
  file: File,
  { separator, columns }: CsvFile,
  signal: AbortSignal,
  onCount: (count: number) => void,
): Promise<Blob> {
  const parts: Blob[] = []
  let lines: string[] = []
  let count = 0
  for await (const { cells, lines: length } of readRecords(readText(file, signal), separator)) {
    const user = count === 0 ? undefined : readUser(cells, columns)
    lines.push((user === undefined ? '' : JSON.stringify(user)) + '\n'.repeat(length))
    count++
    if (lines.length < partLines) continue
    parts.push(new Blob(lines))
    lines = []
    onCount(count)
  }
  return new Blob([...parts, ...lines], { type: 'application/x-ndjson' })
}
