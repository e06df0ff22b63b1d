// The style sheet and the script, as they are served. They are the same for every tenant.
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')

/** Removes comments and indentation, which browsers ignore; no value in our style sheets contains two spaces or a comment. */
const compact = (css: string) =>
  css
    // oxlint-disable-next-line bailiwick/linear-expressions -- the style sheet is our own
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([{};,]) ?/g, '$1')
    .trim()

export const styleSheet = (): string =>
  compact(read('styles/tokens.css') + read('styles/pages.css') + read('styles/organizations.css'))

/** The script without types and comments. Node strips the types, so no build is needed. */
const readScript = (path: string): string =>
  stripTypeScriptTypes(read(path))
    // oxlint-disable-next-line bailiwick/linear-expressions -- the script is our own
    .replaceAll(/^\s*\/\/.*$/gm, '')
    .replaceAll(/[ \t]+/g, ' ')
    .replaceAll(/\n\s*/g, '\n')
    .trim()

export const script = (): string => readScript('browser/pages.ts')

/** The script of forms that send the answer to a puzzle. */
export const challengeSolver = (): string => readScript('browser/challenge.ts')

/** The script of the pages that tell password managers about passkeys, or offer one. */
export const passkeyUpkeep = (): string => readScript('browser/passkey-upkeep.ts')

/** The icon in the browser's tab for tenants without one of their own. */
export const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#3047cf"/>' +
  '<path d="M16 7a5 5 0 0 0-5 5v3h-1v9h12v-9h-1v-3a5 5 0 0 0-5-5Zm0 2.5a2.5 2.5 0 0 1 2.5 2.5v3h-5v-3A2.5 2.5 0 0 1 16 9.5Z" fill="#fff"/></svg>'
