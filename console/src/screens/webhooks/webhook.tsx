import { useParams } from '@tanstack/react-router'
import { DeleteSection } from '../../actions/delete-section.tsx'
import type { AnswerOf } from '../../api/operations.ts'
import { useOperation } from '../../api/use-operation.ts'
import { OperationForm } from '../../form/operation-form.tsx'
import { Facts, Page, Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { Copyable } from '../../values/copy.tsx'
import { Time } from '../../values/time.tsx'
import { Deliveries, isFailing } from './deliveries.tsx'
import { SigningSecret } from './signing-secret.tsx'
import { webhookFields } from './webhook-fields.ts'
import { WebhookState } from './webhooks.tsx'

function Secret({ id }: { readonly id: string }) {
  return (
    <SigningSecret
      id={id}
      operation="rotateWebhookSecret"
      about="It cannot be read again. If it may have leaked, replace it: for 24 hours, messages are signed with both."
    >
      Messages are signed with the new secret and, for 24 hours, with the one before it. Put the new one into your
      receiver within that time.
    </SigningSecret>
  )
}

/** Since when nothing has arrived, why, and when it is tried again. */
function Failing({ webhook: { id, enabled, failingSince, firstFailedAt } }: ShownProps) {
  const since = failingSince ?? firstFailedAt
  const { data } = useOperation(
    'listWebhookDeliveries',
    { params: { id }, query: { status: 'undelivered', perPage: '10' } },
    { enabled: since !== null, everyMs: 5000 },
  )
  if (since === null) return null
  const last = data?.data.find(({ attempts }) => attempts > 0)
  const next = data?.data.find(isFailing)?.nextAttemptAt ?? null
  return (
    <div className="notice bad" role="status">
      <div>
        <strong>
          Failing since <Time at={since} />
        </strong>
        <p>
          {last?.error ?? 'The receiver did not accept the last delivery.'}{' '}
          {!enabled ? (
            'The webhook is disabled. Enable it again once the receiver works.'
          ) : next === null ? (
            'After five days without success the webhook is disabled.'
          ) : (
            <>
              The next attempt is <Time at={next} />. After five days without success the webhook is disabled.
            </>
          )}
        </p>
      </div>
    </div>
  )
}

interface ShownProps {
  readonly webhook: AnswerOf<'getWebhook'>
}

function Shown({ webhook }: ShownProps) {
  const { id, url, createdAt } = webhook
  return (
    <Page title={url}>
      <Failing webhook={webhook} />
      <Section title="State">
        <Facts
          rows={[
            ['State', <WebhookState key="state" {...webhook} />],
            ['ID', <Copyable key="id" text={id} />],
            ['Created', <Time key="time" at={createdAt} />],
          ]}
        />
      </Section>
      <Section title="Deliveries">
        <Deliveries webhookId={id} />
      </Section>
      <Section title="Settings">
        <OperationForm
          operation="updateWebhook"
          params={{ id }}
          record={webhook}
          fields={[
            ...webhookFields(webhook.events),
            {
              name: 'enabled',
              hint: 'Deliveries wait while it is disabled. Enabling it resets the count of failures.',
            },
          ]}
          submit="Save"
          done="Saved."
        />
      </Section>
      <Secret id={id} />
      <DeleteSection
        operation="deleteWebhook"
        input={{ params: { id } }}
        title="Delete this webhook"
        about="Messages that are still waiting are not sent."
        label="Delete webhook"
        list="webhooks"
      >
        {url} no longer receives events. This cannot be undone.
      </DeleteSection>
    </Page>
  )
}

export function Webhook() {
  const { id = '' } = useParams({ strict: false }) as { readonly id?: string }
  const webhook = useOperation('getWebhook', { params: { id } }, { everyMs: 5000 })
  return (
    <Query of={webhook} what="webhook">
      {(found) => <Shown key={found.id} webhook={found} />}
    </Query>
  )
}
