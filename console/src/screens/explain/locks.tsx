// What is refused to a user just now because of wrong passwords or codes, until when, and the button that ends it.
import type { SignInExplanation } from '@bailiwick/contract'
import { DirectAction } from '../../actions/direct-action.tsx'
import { useOperation } from '../../api/use-operation.ts'
import { useMayCall } from '../../session/rights.ts'
import { useTenant } from '../../session/tenant.tsx'
import { ExactTime, exactTime } from '../../values/time.tsx'

type Lock = SignInExplanation['locks'][number]

const reasons: Readonly<Record<Lock['what'], string>> = {
  password: 'Too many wrong passwords.',
  second_factor: 'Too many wrong second factors.',
  sent_codes: 'Too many codes and links were requested.',
}

const isPassword = (strategy: string) => strategy.endsWith('_password')

/** The lock that leaves no way in, if there is one: of passwords for who has nothing else, or of the second factor. */
export function lockedBy({ locks, firstFactors, secondFactors }: SignInExplanation): Lock | undefined {
  const others = firstFactors.filter(({ usable, strategy }) => usable && !isPassword(strategy))
  return locks.find(
    ({ what }) =>
      (what === 'password' && others.length === 0) || (what === 'second_factor' && secondFactors.length > 0),
  )
}

/** Returns whether the user can sign in now, in words. */
export function verdict(explanation: SignInExplanation): string {
  if (!explanation.canSignIn) return 'cannot sign in'
  const lock = lockedBy(explanation)
  if (lock === undefined) return 'can sign in'
  return lock.until === null ? 'is locked' : `is locked until ${exactTime(lock.until)}`
}

function LockNotice({ lock: { what, until }, userId }: { readonly lock: Lock; readonly userId: string }) {
  return (
    <div className="notice" role="note">
      <span>
        <strong>{reasons[what]}</strong>{' '}
        {until === null ? (
          'Locked until an administrator unlocks the user.'
        ) : (
          <>
            {what === 'sent_codes' ? 'No more are sent until ' : 'Locked until '}
            <ExactTime at={until} />.
          </>
        )}{' '}
        <span className="quiet">Devices that the user has signed in with before are not affected.</span>
      </span>
      <DirectAction
        operation="unlockUser"
        input={{ params: { id: userId } }}
        label="Unlock"
        done="The user is unlocked and can sign in again."
      />
    </div>
  )
}

export function Locks({ explanation: { locks, user } }: { readonly explanation: SignInExplanation }) {
  if (user === null) return null
  return locks.map((lock) => <LockNotice key={lock.what} lock={lock} userId={user.id} />)
}

/** The service's answer to whether a user can sign in by an identifier; undefined while it is not known, or may not be. */
export function useExplanation(identifier: string | undefined): SignInExplanation | undefined {
  const { id } = useTenant()
  const { isAllowed } = useMayCall('explainSignIn')
  return useOperation(
    'explainSignIn',
    { params: { id }, body: { identifier: identifier ?? '' } },
    { enabled: isAllowed && identifier !== undefined, keepsLast: true },
  ).data
}
