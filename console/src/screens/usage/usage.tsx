// How much this tenant uses, and of what.
import { useOperation } from '../../api/use-operation.ts'
import { Chart } from '../../parts/chart.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { useTenant } from '../../session/tenant.tsx'
import { locale, translate } from '../../texts/translate.ts'
import { Time } from '../../values/time.tsx'

const counted = new Intl.NumberFormat(locale)
const signed = new Intl.NumberFormat(locale, { signDisplay: 'exceptZero' })
const units = ['kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** Returns a number of bytes in the unit that leaves few digits. */
function inBytes(value: number, signDisplay: 'auto' | 'exceptZero' = 'auto'): string {
  const power = Math.min(units.length, Math.max(1, Math.floor(Math.log10(Math.abs(value) || 1) / 3)))
  const format = { style: 'unit', unit: units[power - 1], maximumFractionDigits: 1, signDisplay } as const
  return new Intl.NumberFormat(locale, format).format(value / 1000 ** power)
}

/** Returns `Messages Sent` as "Messages sent". */
const asSentence = (name: string) => translate(name.charAt(0) + name.slice(1).toLowerCase())

interface Figure {
  readonly name: string
  readonly value: number
  readonly change: number
}

function Figures({ figures }: { readonly figures: readonly Figure[] }) {
  return (
    <dl className="figures">
      {figures.map(({ name, value, change }) => {
        const isBytes = name.includes('Bytes')
        return (
          <div key={name} className="figure">
            <dt>{asSentence(name)}</dt>
            <dd>
              <strong>{isBytes ? inBytes(value) : counted.format(value)}</strong>{' '}
              <span className="quiet">
                {isBytes ? inBytes(change, 'exceptZero') : signed.format(change)} in 30 days
              </span>
            </dd>
          </div>
        )
      })}
    </dl>
  )
}

function Limits() {
  const { id } = useTenant()
  const limits = useOperation('getTenantLimits', { params: { id } }, { everyMs: 30_000 })
  return (
    <Section
      title="Messages today"
      about="Through the deployment's own channel. Messages through a channel of this tenant do not count."
    >
      <Query of={limits}>
        {({ messagesPerDay, messagesPerDayDefault, messagesToday, resetsAt }) => {
          const max = messagesPerDay ?? messagesPerDayDefault
          return (
            <div className="meter">
              <meter aria-label="Messages today" min={0} max={max} high={max * 0.8} value={messagesToday} />
              <p>
                <strong>{counted.format(messagesToday)}</strong> of {counted.format(max)}
                <span className="quiet">
                  {' '}
                  · starts anew <Time at={resetsAt} />
                </span>
              </p>
            </div>
          )
        }}
      </Query>
    </Section>
  )
}

function Messages() {
  const { id: tenantId } = useTenant()
  const days = useOperation('listMessagesByDay', { query: { tenantId } })
  return (
    <Section title="Messages">
      <Query of={useOperation('listMessageStatistics', { query: { tenantId } })}>
        {(figures) => <Figures figures={figures} />}
      </Query>
      <Query of={days}>
        {(found) => (
          <Chart
            label="The last 30 days"
            days={found.map(({ date }) => date)}
            series={[
              { label: 'Sent', color: '--primary', values: found.map(({ sent }) => sent) },
              { label: 'Failed', color: '--destructive', values: found.map(({ failed }) => failed) },
            ]}
          />
        )}
      </Query>
    </Section>
  )
}

function Media() {
  const { id: tenantId } = useTenant()
  const files = useOperation('listFilesByDay', { query: { tenantId } })
  const size = useOperation('listBytesByDay', { query: { tenantId } })
  return (
    <Section title="Files">
      <Query of={useOperation('listMediaStatistics', { query: { tenantId } })}>
        {(figures) => <Figures figures={figures} />}
      </Query>
      <div className="columns">
        <Query of={files}>
          {(days) => (
            <Chart
              label="Files by day"
              days={days.map(({ date }) => date)}
              series={[{ label: 'Files', color: '--primary', values: days.map(({ count }) => count) }]}
            />
          )}
        </Query>
        <Query of={size}>
          {(days) => (
            <Chart
              label="Kilobytes by day"
              days={days.map(({ date }) => date)}
              series={[
                { label: 'Kilobytes', color: '--primary', values: days.map(({ count }) => Math.round(count / 1000)) },
              ]}
            />
          )}
        </Query>
      </div>
    </Section>
  )
}

export function Usage() {
  return (
    <Page title="Usage" about="What this tenant has sent and stored.">
      <Limits />
      <Messages />
      <Media />
    </Page>
  )
}
