import { Link } from '@tanstack/react-router'
import { useOperation } from '../../api/use-operation.ts'
import { OperationForm } from '../../form/operation-form.tsx'
import { Query } from '../../parts/query.tsx'
import { useOrganizationRoles } from '../../session/role-options.ts'
import { useTenantPath } from '../../session/tenant.tsx'
import { AddingSection } from './adding-section.tsx'

export function OrganizationGroups({ organizationId }: { readonly organizationId: string }) {
  const path = useTenantPath()
  const roles = useOrganizationRoles(organizationId)
  const groups = useOperation('listOrganizationGroups', { params: { organizationId } })
  const labelRole = (roleId: string | null) =>
    roleId === null ? 'No role' : (roles.find(({ value }) => value === roleId)?.label ?? roleId)
  return (
    <AddingSection
      title="Groups"
      about="A group gives its members a role in the organization, in addition to their own."
      operation="createOrganizationGroup"
      label="Create a group"
      form={(close) => (
        <OperationForm
          operation="createOrganizationGroup"
          params={{ organizationId }}
          fields={['name', { name: 'roleId', label: 'Role', options: roles }]}
          submit="Create group"
          done="The group is created."
          onDone={close}
          onCancel={close}
        />
      )}
    >
      <Query of={groups}>
        {(found) =>
          found.length === 0 ? (
            <p className="quiet">It has no groups yet.</p>
          ) : (
            <ul className="blocks">
              {found.map(({ id, name, roleId }) => (
                <li key={id} className="block">
                  <div className="block-head">
                    <Link to={path(`organizations/${organizationId}/groups/${id}`)}>{name}</Link>{' '}
                    <span className="quiet">{labelRole(roleId)}</span>
                  </div>
                </li>
              ))}
            </ul>
          )
        }
      </Query>
    </AddingSection>
  )
}
