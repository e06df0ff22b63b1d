import type { DayCount } from '@bailiwick/contract'
import type { UseQueryResult } from '@tanstack/react-query'
import { useOperation } from '../../api/use-operation.ts'
import { Chart } from '../../parts/chart.tsx'
import { Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { useTenant } from '../../session/tenant.tsx'
import { locale, translate } from '../../texts/translate.ts'

const counted = new Intl.NumberFormat(locale)
const signed = new Intl.NumberFormat(locale, { signDisplay: 'exceptZero' })

/** Returns `Sign Ups` as "Sign-ups". */
const titleOf = (name: string) =>
  translate((name.charAt(0) + name.slice(1).toLowerCase()).replace(/^Sign (ups|ins)$/, 'Sign-$1'))

/** The figures of the tenant, and how they have moved in 30 days. */
export function Numbers() {
  const { id: tenantId } = useTenant()
  return (
    <Query of={useOperation('listStatistics', { query: { tenantId } })}>
      {(figures) => (
        <dl className="figures">
          {figures.map(({ name, value, change }) => (
            <div key={name} className="figure">
              <dt>{titleOf(name)}</dt>
              <dd>
                <strong>{counted.format(value)}</strong>{' '}
                <span className="quiet">{signed.format(change)} in 30 days</span>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Query>
  )
}

function DayChart({ label, of }: { readonly label: string; readonly of: UseQueryResult<DayCount[]> }) {
  return (
    <Section title={label}>
      <Query of={of}>
        {(days) => (
          <Chart
            label="The last 30 days"
            days={days.map(({ date }) => date)}
            series={[{ label, color: '--primary', values: days.map(({ count }) => count) }]}
          />
        )}
      </Query>
    </Section>
  )
}

export function UserCharts() {
  const { id: tenantId } = useTenant()
  return (
    <>
      <DayChart label="New users" of={useOperation('listSignUpsByDay', { query: { tenantId } })} />
      <DayChart label="Sign-ins" of={useOperation('listSessionsByDay', { query: { tenantId } })} />
    </>
  )
}

interface Outcomes {
  readonly date: string
  readonly done: number
  readonly failed: number
}

/** How many things were done and how many failed on each day. */
function OutcomeChart({ done, days }: { readonly done: string; readonly days: readonly Outcomes[] }) {
  return (
    <Chart
      label="The last 30 days"
      days={days.map(({ date }) => date)}
      series={[
        { label: done, color: '--primary', values: days.map((day) => day.done) },
        { label: 'Failed', color: '--destructive', values: days.map(({ failed }) => failed) },
      ]}
    />
  )
}

export function MessageChart() {
  const { id: tenantId } = useTenant()
  return (
    <Section title="Messages">
      <Query of={useOperation('listMessagesByDay', { query: { tenantId } })}>
        {(days) => (
          <OutcomeChart done="Sent" days={days.map(({ date, sent, failed }) => ({ date, done: sent, failed }))} />
        )}
      </Query>
    </Section>
  )
}

export function WebhookChart() {
  const { id: tenantId } = useTenant()
  return (
    <Section title="Webhooks">
      <Query of={useOperation('listWebhookAttemptsByDay', { query: { tenantId } })}>
        {(days) => (
          <OutcomeChart
            done="Delivered"
            days={days.map(({ date, succeeded, failed }) => ({ date, done: succeeded, failed }))}
          />
        )}
      </Query>
    </Section>
  )
}
