// Which groups of a directory give which roles: changed here, tried without effect, and then saved.
import type { GroupRule, ScimGroup } from '@bailiwick/contract'
import { useState } from 'react'
import { ActionButton } from '../../actions/action-button.tsx'
import { useChange, useOperation } from '../../api/use-operation.ts'
import { Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { Refusal } from '../../parts/states.tsx'
import { toast } from '../../parts/toasts.tsx'
import { useMayCall } from '../../session/rights.ts'
import { useOrganizationRoles } from '../../session/role-options.ts'
import { locale } from '../../texts/translate.ts'

interface Choice {
  readonly value: string
  readonly label: string
}

interface SelectProps {
  readonly label: string
  readonly options: readonly Choice[]
  readonly value: string
  readonly onChange: (value: string) => void
}

function Select({ label, options, value, onChange }: SelectProps) {
  return (
    <label className="field">
      <span className="label">{label}</span>
      <select value={value} onChange={({ target }) => onChange(target.value)}>
        <option value="">Choose</option>
        {options.map((each) => (
          <option key={each.value} value={each.value}>
            {each.label}
          </option>
        ))}
      </select>
    </label>
  )
}

interface EditorProps {
  readonly id: string
  readonly organizationId: string
  readonly saved: readonly GroupRule[]
  readonly groups: readonly ScimGroup[]
}

/** What the rules would change, before they are saved. */
function DryRun({ id, rules }: { readonly id: string; readonly rules: readonly GroupRule[] }) {
  const right = useMayCall('previewGroupRules')
  const preview = useChange('previewGroupRules')
  return (
    <>
      <ActionButton right={right} onClick={() => preview.mutate({ params: { id }, body: { rules: [...rules] } })}>
        Try without saving
      </ActionButton>
      {preview.data === undefined ? null : (
        <span role="status">
          {preview.data.changed.toLocaleString(locale)} of {preview.data.examined.toLocaleString(locale)} members would
          have another role.
        </span>
      )}
      <Refusal error={preview.error} />
    </>
  )
}

function Editor({ id, organizationId, saved, groups }: EditorProps) {
  const [rules, setRules] = useState(saved)
  const [groupId, setGroup] = useState('')
  const [roleId, setRole] = useState('')
  const roles = useOrganizationRoles(organizationId)
  const right = useMayCall('updateGroupRules')
  const save = useChange('updateGroupRules', { onDone: () => toast('The group rules are saved.') })
  const nameGroup = (wanted: string) => groups.find((group) => group.id === wanted)?.displayName ?? wanted
  const nameRole = (wanted: string) => roles.find(({ value }) => value === wanted)?.label ?? wanted
  const add = () => {
    setRules([...rules, { groupId, roleId }])
    setGroup('')
    setRole('')
  }
  return (
    <>
      <ul className="blocks">
        {rules.map((rule, place) => (
          <li key={`${rule.groupId} ${rule.roleId}`} className="block">
            <div className="block-head">
              <strong>{nameGroup(rule.groupId)}</strong> gives {nameRole(rule.roleId)}
              <span className="actions">
                <button type="button" className="button" onClick={() => setRules(rules.filter((_, n) => n !== place))}>
                  Remove rule
                </button>
              </span>
            </div>
          </li>
        ))}
      </ul>
      {rules.length === 0 ? <p className="quiet">No group gives a role yet.</p> : null}
      <div className="list-tools">
        <Select
          label="Group"
          options={groups.map((group) => ({ value: group.id, label: group.displayName }))}
          value={groupId}
          onChange={setGroup}
        />
        <Select label="Role" options={roles} value={roleId} onChange={setRole} />
        <button type="button" className="button" disabled={groupId === '' || roleId === ''} onClick={add}>
          Add rule
        </button>
      </div>
      <div className="actions">
        <DryRun id={id} rules={rules} />
        <ActionButton right={right} onClick={() => save.mutate({ params: { id }, body: { rules: [...rules] } })}>
          Save rules
        </ActionButton>
      </div>
      <Refusal error={save.error} />
    </>
  )
}

interface GroupRulesProps {
  readonly connectionId: string
  readonly organizationId: string
}

export function GroupRules({ connectionId: id, organizationId }: GroupRulesProps) {
  const rules = useOperation('getGroupRules', { params: { id } })
  const groups = useOperation('listScimGroups', { params: { id }, query: { perPage: '100' } })
  return (
    <Section title="Roles by groups" about="The first rule whose group a member is in gives its role.">
      <Query of={groups}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="quiet">The directory has sent no groups yet.</p>
          ) : (
            <Query of={rules}>
              {(found) => <Editor id={id} organizationId={organizationId} saved={found.rules} groups={data} />}
            </Query>
          )
        }
      </Query>
    </Section>
  )
}
