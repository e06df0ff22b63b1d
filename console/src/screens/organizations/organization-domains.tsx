import { useState } from 'react'
import { ActionButton } from '../../actions/action-button.tsx'
import { ChangeAction } from '../../actions/change-action.tsx'
import { ConfirmAction } from '../../actions/confirm-action.tsx'
import { useOperation } from '../../api/use-operation.ts'
import { OperationForm } from '../../form/operation-form.tsx'
import { Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { useMayCall } from '../../session/rights.ts'
import { DnsRecord, DomainState } from '../../values/dns-record.tsx'

export function OrganizationDomains({ organizationId }: { readonly organizationId: string }) {
  const [isAdding, setAdding] = useState(false)
  const right = useMayCall('createDomainOfOrganization')
  const domains = useOperation('listDomainsOfOrganization', { params: { organizationId } })
  return (
    <Section
      title="Domains"
      about="Users who verify an e-mail address on a verified domain can be invited, as the sign-in rules say."
      actions={
        <ActionButton right={right} onClick={() => setAdding(true)}>
          Add a domain
        </ActionButton>
      }
    >
      {isAdding ? (
        <OperationForm
          operation="createDomainOfOrganization"
          params={{ organizationId }}
          fields={[{ name: 'name', label: 'Domain', placeholder: 'acme.example' }]}
          submit="Add domain"
          done="The domain is added."
          onDone={() => setAdding(false)}
          onCancel={() => setAdding(false)}
        />
      ) : null}
      <Query of={domains}>
        {(found) =>
          found.length === 0 ? (
            <p className="quiet">It has no domains yet.</p>
          ) : (
            <ul className="blocks">
              {found.map((domain) => (
                <li key={domain.id} className="block">
                  <div className="block-head">
                    <strong>{domain.name}</strong> <DomainState verified={domain.verified} />
                    <span className="actions">
                      {domain.verified ? null : (
                        <ChangeAction
                          operation="verifyDomainOfOrganization"
                          input={{ params: { organizationId, id: domain.id } }}
                        >
                          Check again
                        </ChangeAction>
                      )}
                      <ConfirmAction
                        operation="deleteDomainOfOrganization"
                        input={{ params: { organizationId, id: domain.id } }}
                        label="Remove domain"
                      >
                        Users are no longer invited because of {domain.name}.
                      </ConfirmAction>
                    </span>
                  </div>
                  <DnsRecord domain={domain} />
                </li>
              ))}
            </ul>
          )
        }
      </Query>
    </Section>
  )
}
