// What is wrong with a form: found by the browser before it is sent, or by the service.
import type { Issue } from '@bailiwick/contract'
import { messageOf } from '../api/client.ts'
import { messageOfControl, translateMessage } from '../api/service-messages.ts'
import { type FieldDetails, sentence } from './field-spec.ts'
import { isWithin, issuesOf } from './form-issues.ts'

/** Messages by the path of their field. */
export type OwnProblems = ReadonlyMap<string, string>

export interface FormProblems {
  /** Returns the problem with a field, and with what is within it. */
  readonly at: (name: string) => string | undefined
  /** What the service has found in values that have no field here. */
  readonly unplaced: readonly Issue[]
  /** Whether there is something to say that no field says. */
  readonly hasMore: boolean
}

/** What is known of the fields of a form since it was last sent. */
interface Known {
  readonly own: OwnProblems
  /** The fields that were changed since the service refused them. */
  readonly mended: ReadonlySet<string>
  readonly visible: readonly FieldDetails[]
}

export function findProblems(error: Error | null, { own, mended, visible }: Known): FormProblems {
  const names = visible.map(({ name }) => name)
  const all = issuesOf(error, names)
  const issues = all.filter(({ path }) => ![...mended].some((name) => isWithin(path, name)))
  const unplaced = issues.filter(({ path }) => !visible.some(({ name }) => isWithin(path, name)))
  return {
    at(name) {
      const found = issues
        .filter(({ path }) => isWithin(path, name))
        .map(({ message }) => sentence(translateMessage(message)))
      const ownProblem = [...own].find(([at]) => isWithin(`/${at}`, name))
      return ownProblem?.[1] ?? (found.length === 0 ? undefined : `${found.join('. ')}.`)
    },
    unplaced,
    hasMore: error !== null && (all.length === 0 || unplaced.length > 0),
  }
}

/** Returns what the browser finds wrong with the controls of a form. */
export function checkControls({ elements }: HTMLFormElement): OwnProblems {
  return new Map(
    [...elements].flatMap((element) => {
      const control = element as HTMLInputElement
      return control.name === '' || !(control.willValidate ?? false) || control.validity.valid
        ? []
        : [[control.name, messageOfControl(control)]]
    }),
  )
}

export function ProblemList({ error, unplaced }: { readonly error: unknown; readonly unplaced: readonly Issue[] }) {
  return (
    <div className="form-problem" role="alert" tabIndex={-1}>
      {unplaced.length === 0 ? (
        <p>{messageOf(error)}</p>
      ) : (
        <ul>
          {unplaced.map(({ path, message }) => (
            <li key={path + message}>
              <code>{path}</code> {translateMessage(message)}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
