// The words that users never read, because the glossary has another one, and where that is checked.

export interface ForbiddenWord {
  /** Matches the words where they are no part of a name or a path. */
  readonly pattern: RegExp
  readonly say: string
}

const word = (words: string, say: string): ForbiddenWord => ({
  pattern: new RegExp(`(?<![\\w/.-])(?:${words})(?![\\w-])`, 'gi'),
  say,
})

export const forbiddenWords: readonly ForbiddenWord[] = [
  word(
    'person|persons|people|somebody|anybody|nobody',
    'user, member or administrator, or address the reader as "you"',
  ),
  word('console users?', 'administrator'),
  word('fellow|fellows', 'member'),
  word('workspace|workspaces', 'tenant'),
  word('take back|taken back', 'revoke'),
  word('let in again|lets? (?:him|her|them|the user) in again', 'reactivate'),
  word('in the place of (?:this|the|a) user', 'impersonate'),
  word('(?:account|key|secret|token|invitation) is made|(?:make|makes|made) (?:an account|a key|a secret)', 'create'),
  word('email address|mail address|emails? (?:is|are|was|has)', 'e-mail address'),
]

const withoutComments = (source: string) =>
  source
    .replaceAll(/\/\*[\s\S]*?\*\//g, (comment) => comment.replaceAll(/[^\n]/g, ' '))
    .replaceAll(/(?<=^|\s)\/\/.*$/gm, '')

/** A word that is a whole literal, such as `'nobody'`, is a name in the code. */
const withoutNames = (source: string) => source.replaceAll(/(['"`])[a-z_]+\1/g, (name) => ' '.repeat(name.length))

export interface Finding {
  readonly line: number
  readonly found: string
  readonly say: string
}

/** Returns the forbidden words of a file: of all of its texts, but not of its comments. */
export function findForbiddenWords(name: string, source: string): readonly Finding[] {
  const text = name.endsWith('.json') ? source.replaceAll(/^\s*"[^"]*":/gm, '') : withoutNames(withoutComments(source))
  return text
    .split('\n')
    .flatMap((line, index) =>
      forbiddenWords.flatMap(({ pattern, say }) =>
        (line.match(pattern) ?? []).map((found) => ({ line: index + 1, found, say })),
      ),
    )
}
