// What is wrong with a form: found by the browser before it is sent, or by the service.
import type { Issue } from '@bailiwick/contract'
import { isBailiwickError } from '@bailiwick/sdk'
import { messageOf } from '../api/client.ts'
import { type FieldDetails, sentence } from './field-spec.ts'

/** Messages by the path of their field. */
export type OwnProblems = ReadonlyMap<string, string>

export const isWithin = (path: string, name: string) => path === `/${name}` || path.startsWith(`/${name}/`)

export interface FormProblems {
  /** Returns the problem with a field, and with what is within it. */
  readonly at: (name: string) => string | undefined
  /** What the service has found in values that have no field here. */
  readonly unplaced: readonly Issue[]
  /** Whether there is something to say that no field says. */
  readonly hasMore: boolean
}

export function findProblems(error: Error | null, own: OwnProblems, visible: readonly FieldDetails[]): FormProblems {
  const issues: readonly Issue[] = isBailiwickError(error) ? error.issues : []
  const unplaced = issues.filter(({ path }) => !visible.some(({ name }) => isWithin(path, name)))
  return {
    at(name) {
      const found = issues.filter(({ path }) => isWithin(path, name)).map(({ message }) => sentence(message))
      const ownProblem = [...own].find(([at]) => isWithin(`/${at}`, name))
      return ownProblem?.[1] ?? (found.length === 0 ? undefined : `${found.join('. ')}.`)
    },
    unplaced,
    hasMore: error !== null && (issues.length === 0 || unplaced.length > 0),
  }
}

/** Returns what the browser finds wrong with the controls of a form. */
export function checkControls({ elements }: HTMLFormElement): OwnProblems {
  return new Map(
    [...elements].flatMap((element) => {
      const control = element as HTMLInputElement
      return control.name === '' || !(control.willValidate ?? false) || control.validity.valid
        ? []
        : [[control.name, control.validationMessage]]
    }),
  )
}

export function ProblemList({ error, unplaced }: { readonly error: unknown; readonly unplaced: readonly Issue[] }) {
  return (
    <div className="form-problem" role="alert" tabIndex={-1}>
      <p>{messageOf(error)}</p>
      {unplaced.length === 0 ? null : (
        <ul>
          {unplaced.map(({ path, message }) => (
            <li key={path + message}>
              <code>{path}</code> {message}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
