// The addresses that wait to be let in while sign-up is closed. Approving one sends it an invitation to sign up.
import type { WaitlistEntry, WaitlistOutcome } from '@bailiwick/contract'
import { useState } from 'react'
import { ConfirmAction } from '../../actions/confirm-action.tsx'
import { useOperation } from '../../api/use-operation.ts'
import { RecordList } from '../../lists/record-list.tsx'
import { Page } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { toast } from '../../parts/toasts.tsx'
import { useMay } from '../../session/rights.ts'
import { useTenant } from '../../session/tenant.tsx'
import { Badge } from '../../values/badge.tsx'
import { EmailText } from '../../values/email-text.tsx'
import { Time } from '../../values/time.tsx'

const statuses = ['waiting', 'approved', 'declined'].map((value) => ({ value, label: value }))
const tones = { waiting: 'warning', approved: 'good', declined: 'plain' } as const
const idsMax = 100

const addresses = (count: number) => (count === 1 ? '1 address' : `${count} addresses`)

/** Says what became of the addresses; those of existing users need no invitation. */
function tell(verb: string, { entries, skipped }: WaitlistOutcome) {
  const known = skipped.filter(({ reason }) => reason === 'user_exists').length
  toast(
    `${verb}: ${addresses(entries.length)}.${known === 0 ? '' : ` ${addresses(known)} of existing users left out.`}`,
  )
}

interface DecisionsProps {
  readonly ids: readonly string[]
  readonly onDone: () => void
}

/** What can be done with all addresses that are chosen, or else with all that wait. */
function Decisions({ ids, onDone }: DecisionsProps) {
  const { id: tenantId } = useTenant()
  const waiting = useOperation('listWaitlist', { query: { tenantId, status: 'waiting', perPage: String(idsMax) } })
  const meant = ids.length > 0 ? ids : (waiting.data?.data ?? []).map(({ id }) => id)
  if (meant.length === 0) return null
  const input = { body: { tenantId, ids: meant.slice(0, idsMax) } }
  const which = ids.length > 0 ? `${ids.length} chosen` : `all ${meant.length} waiting`
  return (
    <>
      <ConfirmAction
        operation="declineWaitlist"
        input={input}
        label={`Decline ${which}`}
        isDangerous={false}
        onDone={(outcome) => {
          tell('Declined', outcome)
          onDone()
        }}
      >
        They get no message, and invitations that were sent to them are no longer valid.
      </ConfirmAction>
      <ConfirmAction
        operation="approveWaitlist"
        input={input}
        label={`Approve ${which}`}
        isDangerous={false}
        onDone={(outcome) => {
          tell('Approved', outcome)
          onDone()
        }}
      >
        Each address gets an e-mail with an invitation, with which it alone can sign up within 14 days.
      </ConfirmAction>
    </>
  )
}

/** Says why nobody can join at present, to those who may read the sign-in rules. */
function useWhyClosed(id: string): string | undefined {
  const { data } = useOperation('getAuthTenant', { params: { id } }, { enabled: useMay('config:read').isAllowed })
  const auth = data?.auth
  if (!auth) return undefined
  if (!auth.waitlistEnabled) return 'Visitors cannot join at present: “Waiting list” is off in the sign-in rules.'
  return auth.signUpEnabled ? 'Visitors cannot join at present: “Sign-up” is on in the sign-in rules.' : undefined
}

export function Waitlist() {
  const { id: tenantId } = useTenant()
  const whyClosed = useWhyClosed(tenantId)
  const [chosen, setChosen] = useState<readonly string[]>([])
  const toggle = (id: string) =>
    setChosen(chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id].slice(0, idsMax))
  return (
    <Page title="Waiting list" about={whyClosed} actions={<Decisions ids={chosen} onDone={() => setChosen([])} />}>
      <RecordList
        operation="listWaitlist"
        input={{ query: { tenantId } }}
        label="Waiting list"
        filters={[{ name: 'status', label: 'Status', options: statuses }]}
        keyOf={({ id }) => id}
        columns={[
          {
            title: 'Choose',
            cell: ({ id, email }: WaitlistEntry) => (
              <input
                type="checkbox"
                aria-label={`Choose ${email}`}
                checked={chosen.includes(id)}
                onChange={() => toggle(id)}
              />
            ),
          },
          { title: 'E-mail', cell: ({ email }) => <EmailText of={email} /> },
          { title: 'Status', cell: ({ status }) => <Badge tone={tones[status]}>{status}</Badge> },
          { title: 'Joined', cell: ({ createdAt }) => <Time at={createdAt} /> },
          {
            title: 'Invitation valid until',
            cell: ({ expiresAt }) => (expiresAt === null ? null : <Time at={expiresAt} />),
          },
          {
            title: 'Actions',
            cell: ({ id, email }) => (
              <ConfirmAction operation="deleteWaitlistEntry" input={{ params: { id } }} label="Remove" done="Removed.">
                {email} is removed from the list. An invitation that was sent to it is no longer valid.
              </ConfirmAction>
            ),
          },
        ]}
        empty={
          <Empty title="The waiting list is empty">
            While sign-up is off and “Waiting list” is on in the sign-in rules, visitors leave their address at
            /waitlist.
          </Empty>
        }
      />
    </Page>
  )
}
