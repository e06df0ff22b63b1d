import type { RoleDetails as RoleRecord } from '@bailiwick/contract'
import { useNavigate, useParams } from '@tanstack/react-router'
import { DeleteSection } from '../../actions/delete-section.tsx'
import { useOperation } from '../../api/use-operation.ts'
import type { FieldSpec } from '../../form/field-spec.ts'
import { OperationForm } from '../../form/operation-form.tsx'
import { Facts, Page, Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { assignableByField } from '../../session/role-options.ts'
import { useTenant, useTenantPath } from '../../session/tenant.tsx'
import { locale } from '../../texts/translate.ts'
import { Copyable } from '../../values/copy.tsx'
import { Time } from '../../values/time.tsx'

const fields: readonly FieldSpec[] = [
  'name',
  'description',
  {
    name: 'permissions',
    hint: 'One on each line, such as articles:write. Those of the service itself: org:read, org:manage, org:delete, org:members:manage, org:invitations:manage, org:domains:manage, org:connections:manage, org:groups:manage, org:roles:manage, org:api-keys:manage, org:members:meta.',
  },
  { ...assignableByField, hint: 'Who can assign this role to members of an organization.' },
  {
    name: 'requiresSecondFactor',
    label: 'Require a second factor',
    hint: 'Of users with this role at every sign-in, and of members with this role before they act for the organization.',
  },
]

export function CreateRole() {
  const { id: tenantId } = useTenant()
  const path = useTenantPath()
  const navigate = useNavigate()
  return (
    <Page title="Create a role">
      <Section title="Role">
        <OperationForm
          operation="createRole"
          start={{ tenantId }}
          fields={fields}
          submit="Create role"
          done="The role is created."
          onDone={({ id }) => void navigate({ to: path(`roles/${id}`) })}
          onCancel={() => void navigate({ to: path('roles') })}
        />
      </Section>
    </Page>
  )
}

export function Role() {
  const { id = '' } = useParams({ strict: false }) as { readonly id?: string }
  return (
    <Query of={useOperation('getRole', { params: { id } })} what="role">
      {(role) => <Details role={role} />}
    </Query>
  )
}

function Details({ role }: { readonly role: RoleRecord }) {
  const { id, name, _count, createdAt } = role
  return (
    <Page title={name} about={role.description ?? 'Role'}>
      <Section title="Who has it">
        <Facts
          rows={[
            ['Users', _count.users.toLocaleString(locale)],
            ['Members of organizations', _count.members.toLocaleString(locale)],
            ['ID', <Copyable key="id" text={id} />],
            ['Created', <Time key="time" at={createdAt} />],
          ]}
        />
      </Section>
      <Section
        title="Role"
        about="A change takes effect within a minute, with the next token of each user who has the role."
      >
        <OperationForm
          operation="updateRole"
          params={{ id }}
          record={role}
          fields={fields}
          submit="Save"
          done="The role is saved."
        />
      </Section>
      <DeleteSection
        operation="deleteRole"
        input={{ params: { id } }}
        title="Delete this role"
        about="A role that users have cannot be deleted. Give them another role first."
        label="Delete role"
        name={name}
        list="roles"
      >
        This cannot be undone.
      </DeleteSection>
    </Page>
  )
}
