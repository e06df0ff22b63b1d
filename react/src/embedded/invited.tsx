// Open invitations to organizations, which are offered to whoever has signed in within the page.
import type { ReceivedInvitation } from '@bailiwick/contract'
import type { useFormClient } from './form-client.ts'
import { Card, Choice } from './form.tsx'
import type { StepProps } from './sign-in-form.tsx'

type Client = ReturnType<typeof useFormClient>

const laterMs = 30 * 24 * 60 * 60_000
const laterKey = ({ id }: ReceivedInvitation) => `bailiwick:invitation-later:${id}`

/** Returns whether the user has put it off in this browser; also where a browser keeps nothing, which would offer it every time. */
function isPutOff(invitation: ReceivedInvitation): boolean {
  try {
    return Date.now() - Number(localStorage.getItem(laterKey(invitation)) ?? 0) < laterMs
  } catch {
    return true
  }
}

/** Returns the open invitations that were not put off. Whatever fails, the sign-in goes on. */
export const findInvitations = (client: Client): Promise<ReceivedInvitation[]> =>
  client.listReceivedInvitations().then(
    ({ invitations }) => invitations.filter((each) => !isPutOff(each)),
    () => [],
  )

/** Does not offer them again for a while in this browser. */
export function putOffInvitations(invitations: readonly ReceivedInvitation[]) {
  for (const each of invitations) localStorage.setItem(laterKey(each), String(Date.now()))
}

interface InvitedProps extends Pick<StepProps, 'flow' | 'look'> {
  readonly invitations: readonly ReceivedInvitation[]
}

export function Invited({ flow, invitations, look }: InvitedProps) {
  const { classes, texts } = look
  const { isBusy, problems } = flow.work
  const button = (answer: StepProps['flow']['acceptInvitation'], label: string, invitation: ReceivedInvitation) => (
    <button
      type="button"
      className={classes('bw-button bw-secondary', 'button')}
      aria-label={`${label}: ${invitation.organization.name}`}
      aria-disabled={isBusy}
      onClick={() => void answer(invitation)}
    >
      {label}
    </button>
  )
  return (
    <Card look={look} title={texts.invitedTitle} lead={texts.invitedLead} problems={problems} isNext>
      {invitations.map((each) => (
        <div key={each.id} className={classes('bw-field', 'field')}>
          <bdi className={classes('bw-label', 'label')}>{each.organization.name}</bdi>
          {button(flow.acceptInvitation, texts.accept, each)}
          {button(flow.declineInvitation, texts.decline, each)}
        </div>
      ))}
      <Choice look={look} onClick={() => void flow.putOffInvitations()}>
        {texts.offerLater}
      </Choice>
    </Card>
  )
}
