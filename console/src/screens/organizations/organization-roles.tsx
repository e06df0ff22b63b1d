import { Link } from '@tanstack/react-router'
import { useOperation } from '../../api/use-operation.ts'
import type { FieldSpec } from '../../form/field-spec.ts'
import { OperationForm } from '../../form/operation-form.tsx'
import { Query } from '../../parts/query.tsx'
import { assignableByField } from '../../session/role-options.ts'
import { useTenantPath } from '../../session/tenant.tsx'
import { locale } from '../../texts/translate.ts'
import { Badge } from '../../values/badge.tsx'
import { AddingSection } from './adding-section.tsx'

export const ownRoleFields: readonly FieldSpec[] = [
  'name',
  'description',
  {
    name: 'permissions',
    hint: 'One on each line. Only those that the sign-in rules let roles of organizations give.',
  },
  { ...assignableByField, hint: 'Who can assign this role.' },
  { name: 'requiresSecondFactor', label: 'Require a second factor', hint: 'Before members act for the organization.' },
]

/** The roles of an organization's own, beside those of the tenant. */
export function OrganizationRoles({ organizationId }: { readonly organizationId: string }) {
  const path = useTenantPath()
  const params = { organizationId }
  return (
    <AddingSection
      title="Roles of its own"
      about="Only members of this organization can have them, beside the roles of the tenant."
      operation="createOrganizationRole"
      label="Create a role"
      form={(close) => (
        <OperationForm
          operation="createOrganizationRole"
          params={params}
          fields={ownRoleFields}
          submit="Create role"
          done="The role is created."
          onDone={close}
          onCancel={close}
        />
      )}
    >
      <Query of={useOperation('listOrganizationRoles', { params })}>
        {(found) =>
          found.length === 0 ? (
            <p className="quiet">It has no roles of its own.</p>
          ) : (
            <ul className="blocks">
              {found.map(({ id, name, permissions, withheldPermissions, _count }) => (
                <li key={id} className="block">
                  <div className="block-head">
                    <Link to={path(`organizations/${organizationId}/roles/${id}`)}>{name}</Link>{' '}
                    <span className="quiet">
                      {_count.members.toLocaleString(locale)} {_count.members === 1 ? 'member' : 'members'}
                    </span>
                    {withheldPermissions.length === 0 ? null : (
                      <Badge tone="warning">{withheldPermissions.length} not allowed</Badge>
                    )}
                  </div>
                  <p className="quiet">{permissions.join(', ')}</p>
                </li>
              ))}
            </ul>
          )
        }
      </Query>
    </AddingSection>
  )
}
