// A lint rule: every regular expression takes a time that grows no faster than its text. What tenants write is matched in the process that
// answers everybody, and an expression that takes the square of the time has stopped it for minutes. `recheck` finds a text that an
// expression is slow on, or shows that there is none. What it found out is remembered beside the dependencies, since it takes a while.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkSync } from 'recheck'

const remembered = fileURLToPath(new URL('../../node_modules/.cache/linear-expressions.json', import.meta.url))
/** Enough for every expression of this repository on a busy machine. */
const timeoutMs = 60_000

/** @type {Record<string, string> | undefined} by expression: what is wrong with it, or nothing. */
let known

function readKnown() {
  try {
    return JSON.parse(readFileSync(remembered, 'utf8'))
  } catch {
    return {}
  }
}

/**
 * Returns what is wrong with an expression; an empty text if it is linear.
 * @param {string} source
 * @param {string} flags
 * @returns {string}
 */
function faultIn(source, flags) {
  const key = `/${source}/${flags}`
  known ??= readKnown()
  const before = known[key]
  if (before !== undefined) return before
  const result = checkSync(source, flags, { timeout: timeoutMs })
  if (result.status === 'unknown') return `could not be checked: ${result.error.kind}`
  const fault =
    result.status === 'safe' ? '' : `takes ${result.complexity.summary} time, for example on ${result.attack.pattern}`
  known[key] = fault
  mkdirSync(dirname(remembered), { recursive: true })
  writeFileSync(remembered, JSON.stringify(known))
  return fault
}

const rule = {
  create(context) {
    const check = (node, source, flags) => {
      const fault = faultIn(source, flags)
      if (fault !== '') context.report({ node, message: `This expression ${fault}.` })
    }
    const checkCreated = (node) => {
      if (node.callee.type !== 'Identifier' || node.callee.name !== 'RegExp') return
      const [source, flags] = node.arguments
      const isKnown = typeof source?.value === 'string' && (flags === undefined || typeof flags.value === 'string')
      if (isKnown) check(node, source.value, flags?.value ?? '')
      else context.report({ node, message: 'An expression that is put together at run time cannot be checked.' })
    }
    return {
      Literal(node) {
        if (node.regex) check(node, node.regex.pattern, node.regex.flags)
      },
      NewExpression: checkCreated,
      CallExpression: checkCreated,
    }
  },
}

export default { meta: { name: 'bailiwick' }, rules: { 'linear-expressions': rule } }
