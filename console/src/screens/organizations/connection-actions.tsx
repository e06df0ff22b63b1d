// What can be done with a connection, in the list of an organization and on its own screen.
import type { Connection } from '@bailiwick/contract'
import { useState } from 'react'
import { ConfirmAction } from '../../actions/confirm-action.tsx'
import { DirectAction } from '../../actions/direct-action.tsx'
import { Badge } from '../../values/badge.tsx'

const states = {
  draft: ['plain', 'Not tested'],
  tested: ['warning', 'Tested, not on'],
  live: ['good', 'On'],
  off: ['bad', 'Off'],
} as const

export function ConnectionState({ state }: Pick<Connection, 'state'>) {
  const [tone, label] = states[state]
  return <Badge tone={tone}>{label}</Badge>
}

/** The test opens in another window, and its report is read there or here. */
function TestConnection({ id }: Pick<Connection, 'id'>) {
  const [address, setAddress] = useState<string | null>()
  if (address !== undefined && address !== null) {
    return (
      <a
        className="button primary"
        href={address}
        target="_blank"
        rel="noreferrer"
        onClick={() => setAddress(undefined)}
      >
        Sign in at the provider
      </a>
    )
  }
  return (
    <DirectAction
      operation="testConnection"
      input={{ params: { id } }}
      label="Test"
      done="The test is ready."
      onDone={({ authorizeUri }) => setAddress(authorizeUri)}
    />
  )
}

export function ConnectionActions({ connection: { id, name, state } }: { readonly connection: Connection }) {
  const input = { params: { id } }
  return (
    <>
      <TestConnection id={id} />
      {state === 'live' ? (
        <ConfirmAction operation="updateConnection" input={{ ...input, body: { state: 'off' } }} label="Switch off">
          Members can no longer sign in with {name}. Their sessions continue.
        </ConfirmAction>
      ) : (
        <DirectAction
          operation="updateConnection"
          input={{ ...input, body: { state: 'live' } }}
          label="Switch on"
          done={`${name} is on.`}
        />
      )}
    </>
  )
}
