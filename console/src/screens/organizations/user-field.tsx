// A user of the tenant, found by name, address or number and chosen, in place of an id.
import type { User } from '@bailiwick/contract'
import { useId, useState } from 'react'
import { useOperation } from '../../api/use-operation.ts'
import type { OwnControl } from '../../form/field-spec.ts'
import { Icon } from '../../parts/icon.tsx'
import { useSettled } from '../../parts/use-settled.ts'
import { useTenant } from '../../session/tenant.tsx'
import { primaryEmail, userName } from '../../values/user-name.ts'

const typingMs = 200
const perPage = '8'

/** The users that a search finds, to choose one. */
export function FoundUsers({ query, onChoose }: { readonly query: string; readonly onChoose: (user: User) => void }) {
  const { id: tenantId } = useTenant()
  const { data } = useOperation('listUsers', { query: { tenantId, query, perPage } }, { keepsLast: true })
  if (data === undefined) return null
  return (
    <>
      <p role="status" className={data.data.length === 0 ? 'quiet' : 'visually-hidden'}>
        {data.data.length === 0 ? 'No user matches.' : `${data.data.length} found`}
      </p>
      <ul className="found-users">
        {data.data.map((user) => (
          <li key={user.id}>
            <button type="button" onClick={() => onChoose(user)}>
              <span className="cut">{userName(user)}</span>
              <span className="quiet cut">{primaryEmail(user)?.email}</span>
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}

interface ChosenProps {
  readonly id: string
  readonly user: User
  readonly isDisabled: boolean
  readonly notes: string
  readonly onChange: () => void
}

const Chosen = ({ id, user, isDisabled, notes, onChange }: ChosenProps) => (
  <span className="copyable">
    <strong>{userName(user)}</strong> <span className="quiet">{primaryEmail(user)?.email}</span>
    <button
      id={id}
      type="button"
      className="button small"
      disabled={isDisabled}
      aria-describedby={notes}
      onClick={onChange}
    >
      Choose another
    </button>
  </span>
)

export function UserField({ control }: { readonly control: OwnControl }) {
  const { onChange, isDisabled, problemAt } = control
  const id = useId()
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<User>()
  const query = useSettled(text.trim(), typingMs)
  const problem = problemAt('userId')
  const choose = (user: User | undefined) => {
    setChosen(user)
    onChange(user?.id)
  }
  const notes = problem === undefined ? `${id}-hint` : `${id}-hint ${id}-problem`
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        User
      </label>
      {chosen === undefined ? (
        <>
          <span className="search">
            <Icon name="search" />
            <input
              id={id}
              name="userId"
              type="search"
              required
              autoComplete="off"
              maxLength={256}
              disabled={isDisabled}
              value={text}
              aria-invalid={problem !== undefined}
              aria-describedby={notes}
              onChange={({ target }) => setText(target.value)}
            />
          </span>
          {query.length > 1 ? <FoundUsers query={query} onChoose={choose} /> : null}
        </>
      ) : (
        <Chosen id={id} user={chosen} isDisabled={isDisabled} notes={notes} onChange={() => choose(undefined)} />
      )}
      <p id={`${id}-hint`} className="hint">
        Search by name, e-mail, phone or ID. To add a new user, send an invitation.
      </p>
      {problem === undefined ? null : (
        <p id={`${id}-problem`} className="field-problem">
          {problem}
        </p>
      )}
    </div>
  )
}
