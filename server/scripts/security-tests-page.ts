// The page docs/security-tests.md, made of a list of guards and of the tests that name them.

export interface SourceFile {
  readonly path: string
  readonly source: string
}

interface GuardingTest {
  readonly path: string
  readonly title: string
}

const guardComment = /^ *\/\/ Guards: (.+)$/gm
const nameOfGuard = /^- `([a-z-]+)`: /gm
const titledCall = /^( *)(?:\S.*)?\b(describe\w*|it)\(\s*(['"`])((?:\\.|\$\{[^}]*\}|(?!\3)[^\\])*)\3/gm
const filledIn = /\$\{(?:[^{}]|\{[^}]*\})*\}/g

interface Titled {
  readonly at: number
  readonly indentation: number
  readonly isSuite: boolean
  /** With … for what the test fills in. */
  readonly title: string
}

const titledOf = (source: string): Titled[] =>
  Array.from(source.matchAll(titledCall), ({ index, 1: spaces = '', 2: call = '', 4: title = '' }) => ({
    at: index,
    indentation: spaces.length,
    isSuite: call !== 'it',
    title: title.replaceAll(filledIn, '…').replaceAll(/\\(.)/g, '$1'),
  }))

/** Returns the title of the test at `index`, after that of its suite where it says little alone. */
function titleAt(all: readonly Titled[], index: number): string {
  const { title = '', indentation = 0 } = all[index] ?? {}
  const isAlone = all.filter((each) => each.title === title).length === 1
  if (isAlone && !title.startsWith('…')) return title
  const suite = all.slice(0, index).findLast((each) => each.isSuite && each.indentation < indentation)
  return suite === undefined ? title : `${suite.title} › ${title}`
}

/** Returns the tests that name a guard, by its name. */
function testsByGuard(files: readonly SourceFile[], problems: string[]): ReadonlyMap<string, GuardingTest[]> {
  const found = new Map<string, GuardingTest[]>()
  for (const { path, source } of files) {
    const comments = [...source.matchAll(guardComment)]
    const titled = comments.length > 0 ? titledOf(source) : []
    for (const { index, 0: comment, 1: names = '' } of comments) {
      const at = titled.findIndex((each) => each.at > index)
      if (at === -1) problems.push(`${path}: no test follows "${comment.trim()}".`)
      else {
        for (const name of names.split(', ')) {
          found.set(name, [...(found.get(name) ?? []), { path, title: titleAt(titled, at) }])
        }
      }
    }
  }
  return found
}

const introduction = `<!-- Written by \`npm run openapi\` from server/test/documents/security-guards.md and the tests that name its guards. -->

`

/** @param guards Markdown: sections of entries, each beginning with the name that tests use. */
export function securityTestsPage(
  guards: string,
  files: readonly SourceFile[],
): { readonly page: string; readonly problems: readonly string[] } {
  const problems: string[] = []
  const tests = testsByGuard(files, problems)
  const names = new Set(Array.from(guards.matchAll(nameOfGuard), ([, name = '']) => name))
  for (const [name, [first]] of tests) {
    if (!names.has(name)) problems.push(`${first?.path}: there is no guard "${name}".`)
  }
  const [before = '', ...entries] = guards.split(/^(?=- )/m)
  const written = entries.map((entry) => {
    const [, name = ''] = /^- `([a-z-]+)`: /.exec(entry) ?? []
    if (name === '') problems.push(`An entry has no name: ${entry.slice(0, 60)}`)
    const own = tests.get(name) ?? []
    const isOfNoUse = entry.includes('**Does not apply')
    if (own.length === 0 && !isOfNoUse) problems.push(`No test names the guard "${name}".`)
    // What follows an entry, such as the heading of the next section, stays behind its tests.
    const [text = '', after = ''] = entry.split(/(?=\n\n)/, 2)
    const rest = entry.slice(text.length)
    const lines = own.map(({ path, title }) => `  - \`${path}\` › ${title}\n`)
    return `${text.trimEnd().replace(`- \`${name}\`: `, '- ')}\n${lines.join('')}${after === '' ? '' : rest.slice(1)}`
  })
  return { page: `${introduction}${before}${written.join('')}`, problems }
}
