import { useOperation } from '../../api/use-operation.ts'
import { OperationForm } from '../../form/operation-form.tsx'
import { Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'

/** What the organization requires of the sessions that act for it. */
export function OrganizationSecurity({ organizationId }: { readonly organizationId: string }) {
  return (
    <Section
      title="Security"
      about="What the organization requires of its members, in addition to the tenant's own rules. A session that does not fulfil it continues, but cannot act for the organization."
    >
      <Query of={useOperation('getOrganizationSecurity', { params: { id: organizationId } })} what="security">
        {(security) => (
          <OperationForm
            operation="updateOrganizationSecurity"
            params={{ id: organizationId }}
            record={security}
            fields={[
              {
                name: 'secondFactorRequired',
                label: 'Require a second factor',
                hint: `Members who have none set one up first. Without one at present: ${security.membersWithoutFactor.toLocaleString()}.`,
              },
              {
                name: 'allowedStrategies',
                label: 'Allowed ways to sign in',
                hint: 'One on each line, such as email_code. Leave it empty to allow all of the tenant.',
              },
              { name: 'sessionMaximumLifetime', label: 'Maximum age of a sign-in', isSeconds: true },
            ]}
            submit="Save security"
            done="The security of the organization is saved."
          />
        )}
      </Query>
    </Section>
  )
}
