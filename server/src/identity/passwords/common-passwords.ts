// Common passwords, which attackers try first: those of @zxcvbn-ts/language-common 4.1.3 with eight or more characters (MIT, see NOTICE),
// in lower case, one a line. They are read when the first password is chosen, and kept as one text of 200 kB.
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'

const file = new URL('common-passwords.txt.gz', import.meta.url)
let text: Promise<string> | undefined

async function read(): Promise<string> {
  const bytes = await promisify(gunzip)(await readFile(file))
  return bytes.toString('utf8')
}

/** @param folded the password in NFKC and lower case. */
export async function isCommonPassword(folded: string): Promise<boolean> {
  text ??= read()
  return !folded.includes('\n') && (await text).includes(`\n${folded}\n`)
}
