// Whom a sign-in with the connection admits, with which role, and how much the provider is believed.
import type { Connection, RoleRule } from '@bailiwick/contract'
import { useState } from 'react'
import { useOperation } from '../../api/use-operation.ts'
import type { FieldSpec, OwnControl } from '../../form/field-spec.ts'
import { Labelled } from '../../form/labelled.tsx'
import { OperationForm } from '../../form/operation-form.tsx'
import { RowsField } from '../../form/rows-field.tsx'
import { Section } from '../../parts/page.tsx'
import { useSettled } from '../../parts/use-settled.ts'
import { useOrganizationRoles } from '../../session/role-options.ts'
import { userName } from '../../values/user-name.ts'
import { FoundUsers } from '../organizations/user-field.tsx'

interface RulesProps {
  readonly control: OwnControl
  readonly roles: ReturnType<typeof useOrganizationRoles>
}

interface RuleTextProps {
  readonly label: string
  readonly value: string | null
  readonly lengthMax: number
  /** What the rule means without a text. */
  readonly placeholder: string
  readonly isDisabled: boolean
  readonly onChange: (value: string | null) => void
}

const RuleText = ({ label, value, lengthMax, placeholder, isDisabled, onChange }: RuleTextProps) => (
  <Labelled label={label}>
    <input
      value={value ?? ''}
      disabled={isDisabled}
      maxLength={lengthMax}
      autoComplete="off"
      spellCheck={false}
      placeholder={placeholder}
      onChange={({ target }) => onChange(target.value === '' ? null : target.value)}
    />
  </Labelled>
)

const RoleRules = ({ control, roles }: RulesProps) => (
  <RowsField<RoleRule>
    name="roleRules"
    label="Roles"
    control={control}
    empty={{ claim: 'groups', value: null, roleId: '' }}
    add="Add a rule"
    rowName={(_rule, index) => `rule ${index + 1}`}
  >
    {({ claim, value, roleId }, _index, onChange) => (
      <div className="field-row">
        <RuleText
          label="Claim or attribute"
          value={claim}
          lengthMax={256}
          placeholder="Everybody"
          isDisabled={control.isDisabled}
          onChange={(next) => onChange({ claim: next, value, roleId })}
        />
        <RuleText
          label="Value"
          value={value}
          lengthMax={1024}
          placeholder="Any value"
          isDisabled={control.isDisabled}
          onChange={(next) => onChange({ claim, value: next, roleId })}
        />
        <Labelled label="Role">
          <select
            value={roleId}
            required
            disabled={control.isDisabled}
            onChange={({ target }) => onChange({ claim, value, roleId: target.value })}
          >
            <option value="">Choose</option>
            {roleId === '' || roles.some((role) => role.value === roleId) ? null : (
              <option value={roleId}>{roleId}</option>
            )}
            {roles.map((role) => (
              <option key={role.value} value={role.value}>
                {role.label}
              </option>
            ))}
          </select>
        </Labelled>
      </div>
    )}
  </RowsField>
)

function UserById({ id }: { readonly id: string }) {
  const { data } = useOperation('getUser', { params: { id } })
  return <strong>{data === undefined ? id : userName(data.data)}</strong>
}

const typingMs = 200

/** The members who keep another way to sign in, should the provider fail. */
function FallbackMembers({ control: { value, isDisabled, onChange, problemAt } }: { readonly control: OwnControl }) {
  const ids = (value ?? []) as readonly string[]
  const [text, setText] = useState('')
  const query = useSettled(text.trim(), typingMs)
  const problems = [problemAt('fallbackUserIds'), ...ids.map((_id, index) => problemAt(`fallbackUserIds/${index}`))]
  const problem = problems.find((each) => each !== undefined)
  return (
    <div className="field">
      {ids.length === 0 ? null : (
        <ul className="blocks">
          {ids.map((id) => (
            <li key={id} className="copyable">
              <UserById id={id} />
              <button
                type="button"
                className="button small"
                disabled={isDisabled}
                onClick={() => onChange(ids.filter((each) => each !== id))}
              >
                Remove
              </button>
            </li>
          ))}
        </ul>
      )}
      <Labelled label="Members who keep their other ways to sign in">
        <input
          type="search"
          autoComplete="off"
          maxLength={256}
          disabled={isDisabled}
          value={text}
          aria-invalid={problem !== undefined}
          onChange={({ target }) => setText(target.value)}
        />
      </Labelled>
      {query.length > 1 ? (
        <FoundUsers
          query={query}
          onChoose={({ id }) => {
            setText('')
            onChange([...new Set([...ids, id])])
          }}
        />
      ) : null}
      <p className="hint">
        For the time when the provider fails, while the connection is required: up to ten. Search by name, e-mail, phone
        or ID.
      </p>
      {problem === undefined ? null : <p className="field-problem">{problem}</p>}
    </div>
  )
}

const general: readonly FieldSpec[] = [
  {
    name: 'jit',
    label: 'Users who are not members yet',
    isRequired: true,
    options: [
      { value: 'member', label: 'Become members when they sign in' },
      { value: 'off', label: 'Are refused' },
    ],
  },
  {
    name: 'secondFactor',
    label: 'Second factor',
    isRequired: true,
    options: [
      { value: 'ask', label: 'Ask for it as the sign-in rules say' },
      { value: 'skip', label: 'Leave it to the provider' },
    ],
  },
]

const ofSaml: readonly FieldSpec[] = [
  {
    name: 'saml/idpInitiated',
    label: 'Accept sign-ins that begin at the provider',
    hint: 'Users are asked before they are signed in, because any website can begin such a sign-in.',
  },
  {
    name: 'saml/wantEncrypted',
    label: 'Require encrypted assertions',
    hint: 'Only AES-GCM with RSA-OAEP is accepted. The certificate for it is in the metadata of the connection.',
  },
]

/** What happens at a sign-in with the connection, which an administrator decides. */
export function Admission({ connection }: { readonly connection: Connection }) {
  const roles = useOrganizationRoles(connection.organizationId)
  return (
    <Section
      title="Sign-in"
      about="The first rule that matches decides about the role, at each sign-in. A role that no rule names is never given or taken away."
    >
      <OperationForm
        operation="updateConnection"
        params={{ id: connection.id }}
        record={connection}
        fields={[
          ...general,
          ...(connection.saml === null ? [] : ofSaml),
          { name: 'roleRules', render: (control) => <RoleRules control={control} roles={roles} /> },
          { name: 'fallbackUserIds', render: (control) => <FallbackMembers control={control} /> },
        ]}
        submit="Save"
        done="The connection is saved."
      />
    </Section>
  )
}
