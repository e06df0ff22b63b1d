// Who makes the puzzles that the sign-in rules ask for: the service itself, or a provider with the tenant's own keys.
import { Link } from '@tanstack/react-router'
import { ConfirmAction } from '../../actions/confirm-action.tsx'
import { useOperation } from '../../api/use-operation.ts'
import type { Values } from '../../form/form-state.ts'
import { OperationForm } from '../../form/operation-form.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { useTenant, useTenantPath } from '../../session/tenant.tsx'

const providers = [
  { value: 'turnstile', label: 'Cloudflare Turnstile' },
  { value: 'hcaptcha', label: 'hCaptcha' },
]
const failureRules = [
  { value: 'deny', label: 'Refuse the request' },
  { value: 'allow', label: 'Let the request through' },
]
const about = 'The service makes its own puzzles, which browsers solve unseen, unless you use a provider.'

/** The request replaces the settings, so that those without a change are sent too. */
const wholly = (settings: Values) => ({ record: settings, start: settings })

export function Puzzles() {
  const { id } = useTenant()
  const path = useTenantPath()
  const params = { id }
  const settings = useOperation('getChallengeProvider', { params })
  return (
    <Page
      title="Puzzles"
      about="What a browser has to solve first, so that bots pay for each try."
      actions={
        <Link className="button" to={path('sign-in-rules?tab=protection')}>
          Choose when they are asked for
        </Link>
      }
    >
      <Query of={settings}>
        {({ provider, siteKey, onFailure }) => (
          <Section title="Who makes them" about={about}>
            <OperationForm
              key={provider}
              operation="putChallengeProvider"
              params={params}
              {...(provider === 'proof_of_work' || siteKey === null ? {} : wholly({ provider, siteKey, onFailure }))}
              fields={[
                { name: 'provider', options: providers },
                { name: 'siteKey', label: 'Site key' },
                {
                  name: 'secret',
                  label: 'Secret key',
                  isRequired: provider === 'proof_of_work',
                  ...(provider === 'proof_of_work'
                    ? {}
                    : { hint: 'Leave empty to keep the stored key of this provider.' }),
                },
                {
                  name: 'onFailure',
                  label: 'While the provider does not answer',
                  options: failureRules,
                  emptyLabel: 'Refuse the request',
                },
              ]}
              submit="Save"
              done="The provider is saved."
            />
            {provider === 'proof_of_work' ? null : (
              <ConfirmAction
                operation="deleteChallengeProvider"
                input={{ params }}
                label="Use the service's own puzzles"
                done="The service makes the puzzles again."
              >
                The keys of the provider are removed, and its script is no longer loaded.
              </ConfirmAction>
            )}
          </Section>
        )}
      </Query>
    </Page>
  )
}
