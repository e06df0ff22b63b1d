import { ChangeAction } from '../../actions/change-action.tsx'
import { ConfirmAction } from '../../actions/confirm-action.tsx'
import type { AnswerOf } from '../../api/operations.ts'
import { useOperation } from '../../api/use-operation.ts'
import { OperationForm } from '../../form/operation-form.tsx'
import { Query } from '../../parts/query.tsx'
import { DnsRecord, DomainState } from '../../values/dns-record.tsx'
import { AddingSection } from './adding-section.tsx'

type Domain = AnswerOf<'listDomainsOfOrganization'>[number]

function DomainBlock({ organizationId, domain }: { readonly organizationId: string; readonly domain: Domain }) {
  const input = { params: { organizationId, id: domain.id } }
  return (
    <li className="block">
      <div className="block-head">
        <strong>{domain.name}</strong> <DomainState verified={domain.verified} />
        <span className="actions">
          {domain.verifiedByDns ? null : (
            <ChangeAction operation="checkDomainOfOrganization" input={input}>
              Check the record
            </ChangeAction>
          )}
          {domain.verified ? null : (
            <ConfirmAction
              operation="verifyDomainOfOrganization"
              input={input}
              label="Mark as verified"
              isDangerous={false}
            >
              You vouch that {domain.name} belongs to the organization. Single sign-on needs the DNS record all the
              same.
            </ConfirmAction>
          )}
          <ConfirmAction operation="deleteDomainOfOrganization" input={input} label="Remove domain">
            Users are no longer invited because of {domain.name}.
          </ConfirmAction>
        </span>
      </div>
      <DnsRecord domain={domain} />
    </li>
  )
}

export function OrganizationDomains({ organizationId }: { readonly organizationId: string }) {
  const domains = useOperation('listDomainsOfOrganization', { params: { organizationId } })
  return (
    <AddingSection
      title="Domains"
      about="Users who verify an e-mail address on a verified domain can be invited, as the sign-in rules say."
      operation="createDomainOfOrganization"
      label="Add a domain"
      form={(close) => (
        <OperationForm
          operation="createDomainOfOrganization"
          params={{ organizationId }}
          fields={[{ name: 'name', label: 'Domain', placeholder: 'acme.example' }]}
          submit="Add domain"
          done="The domain is added."
          onDone={close}
          onCancel={close}
        />
      )}
    >
      <Query of={domains}>
        {(found) =>
          found.length === 0 ? (
            <p className="quiet">It has no domains yet.</p>
          ) : (
            <ul className="blocks">
              {found.map((domain) => (
                <DomainBlock key={domain.id} organizationId={organizationId} domain={domain} />
              ))}
            </ul>
          )
        }
      </Query>
    </AddingSection>
  )
}
