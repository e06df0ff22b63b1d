import type { OrganizationRole as RoleRecord } from '@bailiwick/contract'
import { useParams } from '@tanstack/react-router'
import { DeleteSection } from '../../actions/delete-section.tsx'
import { useOperation } from '../../api/use-operation.ts'
import { OperationForm } from '../../form/operation-form.tsx'
import { Facts, Page, Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { locale } from '../../texts/translate.ts'
import { Copyable } from '../../values/copy.tsx'
import { Time } from '../../values/time.tsx'
import { ownRoleFields } from './organization-roles.tsx'

export function OrganizationRole() {
  const { id = '', roleId = '' } = useParams({ strict: false }) as { readonly id?: string; readonly roleId?: string }
  const role = useOperation('getOrganizationRole', { params: { organizationId: id, id: roleId } })
  return (
    <Query of={role} what="role">
      {(found) => <Details role={found} />}
    </Query>
  )
}

function Details({ role }: { readonly role: RoleRecord }) {
  const { organizationId, id, name, withheldPermissions, _count, createdAt } = role
  const params = { organizationId, id }
  return (
    <Page title={name} about="A role of an organization's own">
      <Section title="Who has it">
        <Facts
          rows={[
            ['Members', _count.members.toLocaleString(locale)],
            ['ID', <Copyable key="id" text={id} />],
            ['Created', <Time key="time" at={createdAt} />],
          ]}
        />
      </Section>
      <Section title="Role" about="A change takes effect with the next token of each member who has the role.">
        {withheldPermissions.length === 0 ? null : (
          <p role="note">
            The role does not give {withheldPermissions.join(', ')}, because the sign-in rules do not let roles of
            organizations give this.
          </p>
        )}
        <OperationForm
          operation="updateOrganizationRole"
          params={params}
          record={role}
          fields={ownRoleFields}
          submit="Save"
          done="The role is saved."
        />
      </Section>
      <DeleteSection
        operation="deleteOrganizationRole"
        input={{ params }}
        title="Delete this role"
        about="A role that members, invitations or groups have cannot be deleted. Give them another role first."
        label="Delete role"
        name={name}
        list={`organizations/${organizationId}`}
      >
        This cannot be undone.
      </DeleteSection>
    </Page>
  )
}
