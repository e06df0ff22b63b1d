// Holds the workflows of the forge to what can be known without it: their scripts parse, and the npm commands and files they name exist.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import packageJson from '../../../package.json' with { type: 'json' }

const root = fileURLToPath(new URL('../../../', import.meta.url))

interface Workflow {
  readonly jobs: Readonly<
    Record<
      string,
      {
        readonly needs?: string | readonly string[]
        readonly steps: readonly {
          readonly name?: string
          readonly id?: string
          readonly run?: string
          readonly uses?: string
        }[]
      }
    >
  >
}

const workflows = globSync('.github/workflows/*.yml', { cwd: root }).map((path) => {
  const text = readFileSync(join(root, path), 'utf8')
  return { path, text, jobs: (parse(text) as Workflow).jobs }
})
/** The forge replaces its expressions before a shell sees them. */
const withoutExpressions = (script: string) => script.replaceAll(/\$\{\{.*?\}\}/g, 'expression')
const scripts = workflows.flatMap(({ path, jobs }) =>
  Object.entries(jobs).flatMap(([job, { steps }]) =>
    steps.flatMap(({ run }) => (run === undefined ? [] : [{ at: `${path}, ${job}`, script: withoutExpressions(run) }])),
  ),
)

describe('the workflows', () => {
  it('have scripts that bash can parse', () => {
    assert.ok(scripts.length >= 10)
    for (const { at, script } of scripts) {
      const { status, stderr } = spawnSync('bash', ['-n'], { input: script, encoding: 'utf8' })
      assert.equal(status, 0, `${at}: ${stderr}`)
    }
  })

  it('run npm commands of the repository and files that are there', () => {
    const own = scripts.flatMap(({ at, script }) =>
      [...script.matchAll(/\bnpm run (?:--?\S+ )*([\w:-]+)/g)].map(([, name = '']) => ({ at, name })),
    )
    assert.ok(own.length >= 2)
    for (const { at, name } of own) assert.ok(name in packageJson.scripts, `${at}: npm run ${name}`)
    for (const { at, script } of scripts) {
      const files = [...script.matchAll(/\b(?:bash|npm test --) ((?:[\w./][\w./-]* ?)+)/g)].flatMap(([, names = '']) =>
        names.trim().split(' '),
      )
      for (const file of files) assert.ok(existsSync(join(root, file)), `${at}: ${file}`)
    }
  })

  it('refer to jobs and steps of their own, and pin the major version of each action', () => {
    for (const { path, text, jobs } of workflows) {
      const steps = Object.values(jobs).flatMap((job) => job.steps)
      for (const { needs = [] } of Object.values(jobs)) {
        for (const name of [needs].flat()) assert.ok(name in jobs, `${path} needs ${name}`)
      }
      for (const [, id = ''] of text.matchAll(/\bsteps\.(\w+)\.outputs/g)) {
        assert.ok(
          steps.some((step) => step.id === id),
          `${path}: step ${id}`,
        )
      }
      for (const { uses } of steps) if (uses !== undefined) assert.match(uses, /^[\w-]+\/[\w-]+@v\d+$/)
    }
  })
})
