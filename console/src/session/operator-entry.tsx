// The way in for the operator of a deployment, who has the key and needs no account.
import { useQueryClient } from '@tanstack/react-query'
import { type SyntheticEvent, useId, useState } from 'react'
import { messageOf } from '../api/client.ts'
import { setOperatorKey } from '../api/operator-key.ts'
import { readSession, sessionKey } from './read-session.ts'

/** The form of the key, and of nothing that would fail as a header. */
const keyPattern = /^op_[\w.~+/-]+=*$/
const refused = 'This is not the key of this deployment’s operator.'

async function enter(key: string) {
  if (!keyPattern.test(key)) return undefined
  setOperatorKey(key)
  try {
    const session = await readSession()
    if (session.kind === 'operator') return session
  } catch (error) {
    setOperatorKey(undefined)
    throw error
  }
  setOperatorKey(undefined)
  return undefined
}

export function OperatorEntry() {
  const id = useId()
  const client = useQueryClient()
  const [key, setKey] = useState('')
  const [problem, setProblem] = useState<string>()
  const send = (event: SyntheticEvent) => {
    event.preventDefault()
    enter(key.trim()).then(
      (session) => (session === undefined ? setProblem(refused) : client.setQueryData(sessionKey, session)),
      (error: unknown) => setProblem(messageOf(error)),
    )
  }
  return (
    <details className="operator-entry">
      <summary>Enter as the operator</summary>
      <form noValidate onSubmit={send}>
        <div className="field">
          <label className="label" htmlFor={id}>
            Operator key
          </label>
          <input
            id={id}
            type="password"
            value={key}
            autoComplete="off"
            aria-invalid={problem !== undefined}
            aria-describedby={`${id}-hint${problem === undefined ? '' : ` ${id}-problem`}`}
            onChange={({ target }) => setKey(target.value)}
          />
          <p id={`${id}-hint`} className="hint">
            The value of <code>BAILIWICK_OPERATOR_KEY</code>. It may do everything, so this page keeps it in its memory
            only, until it is reloaded or closed.
          </p>
          {problem === undefined ? null : (
            <p id={`${id}-problem`} className="field-problem" role="alert">
              {problem}
            </p>
          )}
        </div>
        <button type="submit" className="button">
          Enter
        </button>
      </form>
    </details>
  )
}
