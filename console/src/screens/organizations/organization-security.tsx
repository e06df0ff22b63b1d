import type { OrganizationSecurityPreview, UpdateOrganizationSecurity } from '@bailiwick/contract'
import { useState } from 'react'
import { DirectAction } from '../../actions/direct-action.tsx'
import { useOperation } from '../../api/use-operation.ts'
import { OperationForm } from '../../form/operation-form.tsx'
import { Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { locale } from '../../texts/translate.ts'
import { strategyNames } from '../explain/steps.tsx'

/** The code of an app only ever follows another way. */
const waysToBegin = Object.entries(strategyNames)
  .filter(([value]) => value !== 'authenticator_code')
  .map(([value, label]) => ({ value, label }))

const countMembers = (count: number) => (count === 1 ? '1 member' : `${count.toLocaleString(locale)} members`)

function describePreview(preview: OrganizationSecurityPreview): string {
  const { members, membersWithoutFactor, lockedOut, managers, managersLockedOut } = preview
  const locked = `Of ${countMembers(members)}, ${lockedOut.toLocaleString(locale)} could not sign in as the rules allow.`
  const enrol = membersWithoutFactor === 0 ? '' : ` ${countMembers(membersWithoutFactor)} must set up a second factor.`
  const isUnmanaged = managers > 0 && managersLockedOut === managers
  return `${locked}${enrol}${isUnmanaged ? ' These include all who manage the members, so the rules would be refused.' : ''}`
}

interface PreviewProps {
  readonly organizationId: string
  readonly rules: UpdateOrganizationSecurity
}

/** Says whom the rules in the form would lock out, before they are saved. */
function RulesPreview({ organizationId, rules }: PreviewProps) {
  const [result, setResult] = useState<OrganizationSecurityPreview>()
  return (
    <div>
      <DirectAction
        operation="previewOrganizationSecurity"
        input={{ params: { id: organizationId }, body: rules }}
        label="Preview"
        done="The members have been counted."
        onDone={setResult}
      />
      {result === undefined ? null : <p>{describePreview(result)}</p>}
    </div>
  )
}

/** What the organization requires of the sessions that act for it. */
export function OrganizationSecurity({ organizationId }: { readonly organizationId: string }) {
  const [rules, setRules] = useState<UpdateOrganizationSecurity>({})
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
                hint: `Members who have none set one up first. Without one at present: ${security.membersWithoutFactor.toLocaleString(locale)}.`,
              },
              {
                name: 'allowedStrategies',
                label: 'Allowed ways to sign in',
                options: waysToBegin,
                hint: 'Without any, all ways of the tenant are allowed.',
              },
              {
                name: 'sessionMaximumLifetime',
                label: 'Maximum age of a sign-in',
                hint: 'Members then sign in again before they act for the organization. Leave it empty for no limit.',
                isSeconds: true,
              },
            ]}
            submit="Save security"
            done="The security of the organization is saved."
            onValues={setRules}
          >
            <RulesPreview organizationId={organizationId} rules={rules} />
          </OperationForm>
        )}
      </Query>
    </Section>
  )
}
