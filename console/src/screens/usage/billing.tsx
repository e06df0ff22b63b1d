import { useOperation } from '../../api/use-operation.ts'
import { OperationForm } from '../../form/operation-form.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { useTenant } from '../../session/tenant.tsx'

export function Billing() {
  const { id } = useTenant()
  return (
    <Page
      title="Billing"
      about="The plan of this tenant, and how it is paid for. Your billing system handles the payment itself."
    >
      <Section
        title="Plan and payment"
        about="No card numbers: the id that your payment provider has given, and how users recognise a card."
      >
        <Query of={useOperation('getTenantBilling', { params: { id } })}>
          {(billing) => (
            <OperationForm
              operation="putTenantBilling"
              params={{ id }}
              record={billing}
              fields={[
                'plan',
                { name: 'orgId', label: 'Customer', hint: 'The id that your billing system has for this tenant.' },
                { name: 'paymentMethodId', label: 'Payment method', hint: 'The id at your payment provider.' },
                { name: 'paymentMethodBrand', label: 'Brand', placeholder: 'visa' },
                { name: 'paymentMethodLast4', label: 'Last four digits', placeholder: '4242' },
              ]}
              submit="Save"
              done="Saved."
            />
          )}
        </Query>
      </Section>
    </Page>
  )
}
