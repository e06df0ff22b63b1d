'use client'
// Open invitations to organizations, with Tailwind classes. This file is yours: change it as you like.
import { useInvitations } from '@bailiwick/react/invitations'
import { isBailiwickError } from '@bailiwick/sdk/frontend'
import { useState } from 'react'

const button =
  'inline-flex h-9 items-center rounded-md border border-input bg-background px-4 text-sm font-medium hover:bg-accent hover:text-accent-foreground'

/** Shows nothing while there are none. */
export function Invitations() {
  const { accept, decline, invitations = [] } = useInvitations()
  const [problem, setProblem] = useState('')
  const run = (work: Promise<void>) =>
    work.then(
      () => setProblem(''),
      (error: unknown) => setProblem(isBailiwickError(error) ? error.message : 'Something went wrong. Try again.'),
    )
  if (invitations.length === 0 && problem === '') return null
  return (
    <section className="grid w-full max-w-sm gap-4 rounded-xl border bg-card p-6 text-card-foreground shadow-sm">
      <h2 className="text-lg font-semibold">You have been invited</h2>
      <p role="alert" className="text-sm text-destructive">
        {problem}
      </p>
      {invitations.map((each) => (
        <div key={each.id} className="flex flex-wrap items-center gap-2">
          <bdi className="grow text-sm font-medium">{each.organization.name}</bdi>
          <button type="button" className={button} onClick={() => void run(accept(each))}>
            Accept
          </button>
          <button type="button" className={button} onClick={() => void run(decline(each))}>
            Decline
          </button>
        </div>
      ))}
    </section>
  )
}
