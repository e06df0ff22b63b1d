// The examples in the docstrings of the SDK and the React components, as files that a project can compile.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repository } from './published.ts'

export interface Example {
  /** Names the source and the place within it: `sdk-src-jwt-1.ts`. */
  readonly name: string
  readonly code: string
}

const fenced = /^ \* @example\n \* ```(tsx?)\n((?: \*.*\n)*?) \* ```$/gm

/** Returns every example of the packages `sdk` and `react`. */
export function readExamples(): readonly Example[] {
  const sources = globSync('{sdk,react}/src/**/*.{ts,tsx}', { cwd: repository, exclude: ['**/*.test.ts'] }).toSorted()
  return sources.flatMap((source) =>
    [...readFileSync(join(repository, source), 'utf8').matchAll(fenced)].map(([, extension, lines = ''], index) => ({
      name: `${source.replace(/\.tsx?$/, '').replaceAll('/', '-')}-${index + 1}.${extension}`,
      code: lines.replaceAll(/^ \* ?/gm, ''),
    })),
  )
}
