// Performs one task, in any process.
import type { TemplatePart } from './limits.ts'
import { TemplateError, checkLiquid } from './liquid.ts'
import { renderMessage, renderSubject } from './render-message.ts'
import type { Problem, RenderResult, RenderTask } from './render-messages.ts'

type Begin = (part: TemplatePart) => void

/** Runs the action and returns the problem of a TemplateError; other errors are thrown. */
function problemOf(action: () => void): Problem[] {
  try {
    action()
    return []
  } catch (error) {
    if (error instanceof TemplateError) return [{ part: error.part, reason: error.reason }]
    throw error
  }
}

function check({ parts }: RenderTask & { type: 'check' }, begin: Begin): RenderResult {
  const problems = (['subject', 'body'] as const).flatMap((part) => {
    const text = parts[part]
    if (text === undefined) return []
    begin(part)
    return problemOf(() => checkLiquid(part, text))
  })
  return { type: 'problems', problems }
}

function render({ template, variables, shown }: RenderTask & { type: 'render' }, begin: Begin): RenderResult {
  let result: RenderResult = { type: 'problems', problems: [] }
  const problems = problemOf(() => {
    const message = renderMessage(template, JSON.parse(variables) as object, begin)
    begin('subject')
    const shownSubject = shown === null ? null : renderSubject(template, JSON.parse(shown) as object)
    result = { type: 'rendered', message: { ...message, shownSubject } }
  })
  return problems.length > 0 ? { type: 'problems', problems } : result
}

/** @param begin is called before each part that is parsed or rendered. */
export function perform(task: RenderTask, begin: Begin = () => {}): RenderResult {
  return task.type === 'check' ? check(task, begin) : render(task, begin)
}
