import type { TenantDomain } from '@bailiwick/contract'
import { useState } from 'react'
import { ActionButton } from '../../actions/action-button.tsx'
import { ChangeAction } from '../../actions/change-action.tsx'
import { ConfirmAction } from '../../actions/confirm-action.tsx'
import { useOperation } from '../../api/use-operation.ts'
import { OperationForm } from '../../form/operation-form.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { Empty } from '../../parts/states.tsx'
import { useMayCall } from '../../session/rights.ts'
import { useTenant } from '../../session/tenant.tsx'
import { Badge } from '../../values/badge.tsx'
import { DnsRecord, DomainState } from '../../values/dns-record.tsx'

export function Domains() {
  const { id: tenantId } = useTenant()
  const [isAdding, setAdding] = useState(false)
  const right = useMayCall('createDomain')
  const add = (
    <ActionButton right={right} isPrimary onClick={() => setAdding(true)}>
      Add a domain
    </ActionButton>
  )
  return (
    <Page
      title="Domains"
      about="Where the hosted pages and the frontend interface of this tenant are reached."
      actions={add}
    >
      {isAdding ? (
        <Section title="Add a domain">
          <OperationForm
            operation="createDomain"
            start={{ tenantId }}
            fields={[
              {
                name: 'name',
                label: 'Domain',
                placeholder: 'login.acme.example',
                hint: 'A host name of yours that leads to this service.',
              },
            ]}
            submit="Add domain"
            done="The domain is added."
            onDone={() => setAdding(false)}
            onCancel={() => setAdding(false)}
          />
        </Section>
      ) : null}
      <Query of={useOperation('listDomains', { query: { tenantId } })}>
        {(domains) =>
          domains.length === 0 ? (
            <Empty title="There are no domains yet" action={isAdding ? undefined : add}>
              Until there is one, the pages are at the address of this service.
            </Empty>
          ) : (
            domains.map((domain) => <Domain key={domain.id} domain={domain} />)
          )
        }
      </Query>
    </Page>
  )
}

function Domain({ domain }: { readonly domain: TenantDomain }) {
  const { id, name, verified, primary } = domain
  const input = { params: { id } }
  return (
    <Section
      title={name}
      about={
        <span className="badges">
          <DomainState verified={verified} /> {primary ? <Badge>primary</Badge> : null}
        </span>
      }
      actions={
        <>
          {verified ? null : (
            <ChangeAction operation="verifyDomain" input={input}>
              Check again
            </ChangeAction>
          )}
          {verified && !primary ? (
            <ChangeAction operation="makeDomainPrimary" input={input} done={`${name} is the primary domain.`}>
              Make primary
            </ChangeAction>
          ) : null}
          <ConfirmAction operation="deleteDomain" input={input} label="Remove domain" name={name}>
            The pages are no longer available on this domain, and passkeys that were created there stop working.
          </ConfirmAction>
        </>
      }
    >
      {verified ? (
        <p className="quiet">The domain is verified. Point it at this service with an A, AAAA or CNAME record.</p>
      ) : (
        <DnsRecord domain={domain} />
      )}
    </Section>
  )
}
