// What CONTRIBUTING.md asks of commits: a subject that fits on one line everywhere, and no other change in a commit that regenerates files.
import { execFileSync } from 'node:child_process'

const charactersMin = 8
const charactersMax = 72
const generated = [
  /\.gen\.ts$/,
  /^contract\/openapi(?:-\w+)?\.json$/,
  /^docs\/(?:configuration|events|security-tests|settings)\.md$/,
  /^docs\/pictures\//,
]

export interface CheckedCommits {
  readonly problems: readonly string[]
  /** What was checked, or why nothing was. */
  readonly note: string
}

interface Commit {
  readonly id: string
  readonly subject: string
  readonly hasParent: boolean
}

type Git = (...args: readonly string[]) => string

const gitIn =
  (directory: string): Git =>
  (...args) =>
    execFileSync('git', args, { cwd: directory, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()

function succeeds(run: () => unknown): boolean {
  try {
    run()
    return true
  } catch {
    return false
  }
}

/** Returns the commits of a range, without merges. The parents are those that the clone has. */
function commitsIn(git: Git, range: string): Commit[] {
  const log = git('log', '--no-merges', '--format=%H%x00%P%x00%s', range)
  return log.split('\n').flatMap((line) => {
    const [id = '', parents = '', subject = ''] = line.split('\0')
    return id === '' ? [] : [{ id, subject, hasParent: parents !== '' }]
  })
}

function problemsOf(git: Git, { id, subject, hasParent }: Commit): string[] {
  const named = `${id.slice(0, 8)} "${subject}"`
  const { length } = Array.from(subject)
  const problems: string[] = []
  if (length < charactersMin || length > charactersMax) {
    problems.push(`${named}: its subject has ${length} characters, not ${charactersMin} to ${charactersMax}.`)
  }
  if (/^(?:[^:]*: )?regenerate\b/i.test(subject) && hasParent) {
    const changed = git('diff-tree', '--no-commit-id', '--name-only', '-r', '-z', id).split('\0').filter(Boolean)
    const others = changed.filter((path) => !generated.some((pattern) => pattern.test(path)))
    if (others.length > 0)
      problems.push(`${named}: it also changes files that are not generated: ${others.join(', ')}.`)
  }
  return problems
}

/**
 * Checks the commits after `base`. A shallow clone may not have that commit: there, all that it has are checked, and nothing is known of
 * what the oldest ones have changed.
 */
export function checkCommits(directory: string, base: string): CheckedCommits {
  const git = gitIn(directory)
  // An unpacked archive may lie within another repository.
  if (!succeeds(() => git('rev-parse', '--git-dir')) || git('rev-parse', '--show-prefix') !== '') {
    return { problems: [], note: 'There is no history here, so no commits are checked.' }
  }
  const hasBase = succeeds(() => git('merge-base', '--is-ancestor', base, 'HEAD'))
  const isShallow = git('rev-parse', '--is-shallow-repository') === 'true'
  if (!hasBase && !isShallow)
    return { problems: [`The history has no commit ${base}.`], note: 'No commits are checked.' }
  const commits = commitsIn(git, hasBase ? `${base}..HEAD` : 'HEAD')
  return {
    problems: commits.flatMap((commit) => problemsOf(git, commit)),
    note: `${commits.length} commits are checked${hasBase ? '' : ': this clone is shallow, and has no more'}.`,
  }
}
